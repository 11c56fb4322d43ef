import { describe, expect, test } from '@jest/globals';
import { buildMessage, buildSentMessage } from '../../test/factories.js';
import { mergeTimeline } from './entries.js';

const received = (id: number) => buildMessage({ id });
const sent = (id: number) => buildSentMessage({ id });

const shown = (timeline: ReturnType<typeof mergeTimeline>) =>
  timeline.entries.map(({ kind, message }) => `${kind} ${String(message.id)}`);

describe('mergeTimeline()', () => {
  test('merges received and sent messages in order, without duplicates', () => {
    const timeline = mergeTimeline(
      [{ items: [received(4), received(2)], next: null }],
      [{ items: [sent(4), sent(3)], next: null }],
      'newest',
    );
    expect(shown(timeline)).toEqual(['received 4', 'sent 3', 'received 2']);
    expect(timeline.nextList).toBeNull();
  });

  test('holds back entries that an unloaded page may precede', () => {
    const timeline = mergeTimeline(
      [{ items: [received(9), received(7)], next: '7' }],
      [{ items: [sent(8), sent(2)], next: null }],
      'newest',
    );
    expect(shown(timeline)).toEqual(['received 9', 'sent 8', 'received 7']);
    expect(timeline.nextList).toBe('received');
  });

  test('continues with the list that ends first, in either order', () => {
    const inbox = [{ items: [received(1), received(8)], next: '8' }];
    const outbox = [{ items: [sent(3), sent(4)], next: '4' }];
    const timeline = mergeTimeline(inbox, outbox, 'oldest');
    expect(shown(timeline)).toEqual(['received 1', 'sent 3', 'sent 4']);
    expect(timeline.nextList).toBe('sent');
  });

  test('continues with a list whose loaded messages have all been removed', () => {
    const timeline = mergeTimeline([{ items: [], next: '7' }], [{ items: [sent(8), sent(2)], next: null }], 'newest');
    expect(shown(timeline)).toEqual(['sent 8']);
    expect(timeline.nextList).toBe('received');
  });
});
