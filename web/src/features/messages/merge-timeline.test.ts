import { describe, expect, test } from '@jest/globals';
import { mergeTimeline } from './merge-timeline.js';
import { nextCursor } from './paging.js';
import type { ReceivedMessage, SentMessage } from './types.js';

const at = (id: number, day: number): ReceivedMessage => ({
  id,
  userId: 1,
  content: '',
  imageUrl: null,
  audioUrl: null,
  audioType: null,
  audioDuration: null,
  audioPeaks: null,
  emoji: null,
  isRead: true,
  isPublic: false,
  createdAt: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
});

const sent = (id: number, day: number): SentMessage => ({ ...at(id, day), senderUserId: 1, recipient: null });

const shown = (timeline: ReturnType<typeof mergeTimeline>) => timeline.entries.map(({ kind, message }) => `${kind} ${String(message.id)}`);

describe('the timeline', () => {
  test('merges received and sent by time, without doubles', () => {
    const timeline = mergeTimeline([{ items: [at(4, 20), at(2, 10)], next: null }], [{ items: [sent(4, 20), sent(3, 15)], next: null }], 'newest');
    expect(shown(timeline)).toEqual(['received 4', 'sent 3', 'received 2']);
    expect(timeline.behind).toBeNull();
  });

  test('holds back what a page that is not loaded yet may still precede', () => {
    const timeline = mergeTimeline([{ items: [at(9, 20), at(8, 18)], next: '8' }], [{ items: [sent(3, 19), sent(2, 5)], next: null }], 'newest');
    expect(shown(timeline)).toEqual(['received 9', 'sent 3', 'received 8']);
    expect(timeline.behind).toBe('received');
  });

  test('reads on in the list that ends first, in either order', () => {
    const received = [{ items: [at(1, 1), at(2, 8)], next: '2' }];
    const outgoing = [{ items: [sent(3, 2), sent(4, 4)], next: '4' }];
    const timeline = mergeTimeline(received, outgoing, 'oldest');
    expect(shown(timeline)).toEqual(['received 1', 'sent 3', 'sent 4']);
    expect(timeline.behind).toBe('sent');
  });
});

describe('the cursor', () => {
  test('comes out of the link to the next page', () => {
    expect(nextCursor('</api/messages?limit=10&before=41>; rel="next"')).toBe('41');
    expect(nextCursor('</a?before=1>; rel="prev", </a?before=2>; rel="next"')).toBe('2');
    expect(nextCursor(null)).toBeNull();
    expect(nextCursor('</a?before=1>; rel="prev"')).toBeNull();
  });
});
