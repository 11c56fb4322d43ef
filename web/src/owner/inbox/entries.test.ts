import { describe, expect, test } from '@jest/globals';
import { buildMessage, buildSentMessage } from '../../test/factories.js';
import { mergeTimeline } from './entries.js';

const received = (id: number) => buildMessage({ id });
const sent = (id: number) => buildSentMessage({ id });

const page = <T>(items: T[], next: string | null, isBefore = false) => ({ items, next, isBefore });

const shown = (timeline: ReturnType<typeof mergeTimeline>) =>
  timeline.entries.map(({ kind, message }) => `${kind} ${String(message.id)}`);

describe('mergeTimeline()', () => {
  test('mergeTimeline() merges received and sent messages in order, without duplicates', () => {
    const timeline = mergeTimeline(
      [page([received(4), received(2)], null)],
      [page([sent(4), sent(3)], null)],
      'newest',
      false,
    );
    expect(shown(timeline)).toEqual(['received 4', 'sent 3', 'received 2']);
    expect(timeline.nextList).toBeNull();
  });

  test('mergeTimeline() holds back entries that an unloaded page may precede', () => {
    const timeline = mergeTimeline(
      [page([received(9), received(7)], '7')],
      [page([sent(8), sent(2)], null)],
      'newest',
      false,
    );
    expect(shown(timeline)).toEqual(['received 9', 'sent 8', 'received 7']);
    expect(timeline.nextList).toBe('received');
  });

  test('mergeTimeline() continues with the list that ends first, in either order', () => {
    const inbox = [page([received(1), received(8)], '8')];
    const outbox = [page([sent(3), sent(4)], '4')];
    const timeline = mergeTimeline(inbox, outbox, 'oldest', false);
    expect(shown(timeline)).toEqual(['received 1', 'sent 3', 'sent 4']);
    expect(timeline.nextList).toBe('sent');
  });

  test('mergeTimeline() continues with a list whose loaded messages have all been removed', () => {
    const timeline = mergeTimeline([page([], '7')], [page([sent(8), sent(2)], null)], 'newest', false);
    expect(shown(timeline)).toEqual(['sent 8']);
    expect(timeline.nextList).toBe('received');
  });

  test('mergeTimeline() holds back entries that an unloaded page before the start may follow', () => {
    const start = page([received(5)], null);
    const sentSince = page([sent(6), sent(4)], null);
    const both = mergeTimeline([start], [sentSince], 'newest', true);
    expect(shown(both)).toEqual(['sent 6', 'received 5', 'sent 4']);
    expect(both.previousLists).toEqual(['received', 'sent']);

    const inbox = [page([received(11), received(9)], '11', true), start];
    const one = mergeTimeline(inbox, [sentSince], 'newest', true);
    expect(shown(one)).toEqual(['sent 6', 'received 5', 'sent 4']);
    expect(one.previousLists).toEqual(['sent']);

    const outbox = [page([sent(12), sent(10)], null, true), sentSince];
    const partly = mergeTimeline(inbox, outbox, 'newest', true);
    expect(shown(partly)).toEqual(['received 11', 'sent 10', 'received 9', 'sent 6', 'received 5', 'sent 4']);
    expect(partly.previousLists).toEqual(['received']);

    const whole = mergeTimeline([page([received(13)], null, true), ...inbox], outbox, 'newest', true);
    expect(shown(whole)).toEqual([
      'received 13',
      'sent 12',
      'received 11',
      'sent 10',
      'received 9',
      'sent 6',
      'received 5',
      'sent 4',
    ]);
    expect(whole.previousLists).toEqual([]);
  });
});
