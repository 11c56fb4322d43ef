import { describe, expect, test } from '@jest/globals';
import { judge, type Change, type History, type InboxRead, type Sent } from './history.js';

const OWNER = 7;

const sent = (id: number | null, began: number, changes: Partial<Sent> = {}): Sent => ({
  owner: OWNER,
  content: `message ${id ?? 'refused'}`,
  id,
  began,
  ended: began + 1,
  ...changes,
});
const inbox = (ids: number[], began: number, owner = OWNER): InboxRead => ({
  owner,
  messages: ids.map((id) => ({ id, content: `message ${id}` })),
  began,
  ended: began + 1,
});
const change = (action: Change['action'], id: number, began: number, succeeded = true): Change => ({
  action,
  id,
  began,
  ended: began + 1,
  succeeded,
});
const judged = (history: Partial<History>, final: InboxRead[] = []) =>
  judge({ sent: [], changes: [], inboxes: [], publics: [], ...history }, final);

describe('a history without a fault', () => {
  test('may have unaccepted messages, reads during calls, and unanswered deletions', () => {
    const verdict = judged(
      {
        sent: [sent(1, 0), sent(2, 10), sent(3, 20), sent(null, 30)],
        changes: [change('delete', 2, 40, false), change('publish', 1, 40), change('unpublish', 1, 60)],
        inboxes: [inbox([1], 10), inbox([3, 2, 1], 50), inbox([3, 1], 52)],
        publics: [
          { owner: OWNER, ids: [1], began: 40, ended: 41 },
          { owner: OWNER, ids: [], began: 50, ended: 51 },
        ],
      },
      [inbox([3, 1], 100)],
    );
    expect(verdict).toEqual({ violations: [], late: [] });
  });

  test('asks for nothing below the last message of a page', () => {
    expect(judged({ sent: [sent(1, 0), sent(2, 0), sent(3, 0)], inboxes: [inbox([3, 2], 10)] }).violations).toEqual([]);
  });
});

describe('finds a planted fault', () => {
  test.each<[string, Partial<History>, InboxRead[], RegExp]>([
    ['a lost message', { sent: [sent(1, 0), sent(2, 0)] }, [inbox([2], 10)], /^Message 1 was accepted, and is missing/],
    ['one that is missing for a moment', { sent: [sent(1, 0)], inboxes: [inbox([], 10)] }, [inbox([1], 20)], /missing/],
    [
      'one that is there twice',
      { sent: [sent(1, 0)] },
      [{ ...inbox([1], 10), messages: [1, 2].map((id) => ({ id, content: 'message 1' })) }],
      /^Message 2 stands twice/,
    ],
    ['one id for two', { sent: [sent(1, 0), sent(1, 0, { content: 'another' })] }, [inbox([1], 10)], /one id/],
    ["another's message", { sent: [sent(1, 0)] }, [inbox([1], 10, 8)], /^Message 1 stands in the inbox of 8/],
    [
      'a deleted one',
      { sent: [sent(1, 0)], changes: [change('delete', 1, 2)], inboxes: [inbox([1], 10)] },
      [],
      /after its deletion/,
    ],
    [
      'a private one on a page',
      { sent: [sent(1, 0)], publics: [{ owner: OWNER, ids: [1], began: 10, ended: 11 }] },
      [],
      /never published/,
    ],
    [
      "another's on a page",
      {
        sent: [sent(1, 0)],
        changes: [change('publish', 1, 2)],
        publics: [{ owner: 8, ids: [1], began: 10, ended: 11 }],
      },
      [],
      /^Message 1 stands on the page of 8/,
    ],
  ])('%s', (_, history, final, expected) => {
    expect(judged(history, final).violations).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });

  test('one that is public for too long, and for how long', () => {
    const { late } = judged({
      sent: [sent(1, 0)],
      changes: [change('publish', 1, 2), change('unpublish', 1, 9)],
      publics: [{ owner: OWNER, ids: [1], began: 1_510, ended: 1_511 }],
    });
    expect(late).toEqual([{ at: 1_510, milliseconds: 1_500 }]);
  });
});
