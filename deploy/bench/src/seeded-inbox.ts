import { indexedWords } from '@najwa/proto/words';
import type { TestSystem } from '@najwa/testing';
import { insertRecords, reserveIds } from './seeding.js';

/** Longer inboxes have a search index. */
const LONG_INBOX = 1_152;
const CONTENT = 'ما الشيء الذي تمنيت لو أنك قلته لي يوم التقينا أول مرة، ولم تقله؟';

/** Words, and places counted from the oldest, 1. All sizes yield equally many hits, so that only the scan differs. */
export const SEARCHED = {
  every: { word: 'تمنيت', isAt: () => true },
  some: { word: 'بحر', isAt: (place: number) => place % 15 === 0 },
  few: { word: 'قمر', isAt: (place: number) => place < 1_000 && place % 300 === 0 },
};

const contentAt = (place: number): string =>
  [CONTENT, ...[SEARCHED.some, SEARCHED.few].flatMap(({ word, isAt }) => (isAt(place) ? word : []))].join(' ');

/** Every second message is a turn of one of so many, one turn after the other. */
const placeInConversation = (place: number, conversations: number, taken: number): object => {
  const index = place / 2 - 1;
  if (conversations === 0 || !Number.isInteger(index)) return {};
  const id = taken + 2 * ((index % conversations) + 1);
  return { conversation: { id, sentId: id, turn: Math.floor(index / conversations) + 1 } };
};

/** Directly in the database, as after publishing. */
export async function openSeededInbox(system: TestSystem, userId: number, capacity: number, conversations = 0) {
  const connection = await system.openDatabase('messages');
  // All at once: earlier messages may still be in progress.
  const taken = await reserveIds(connection, 'messages', capacity);
  let size = 0;

  const storedWords = (words: string[]): object =>
    capacity > LONG_INBOX ? { words } : { words: [''], unindexedWords: words };

  const messageOf = (id: number): Record<string, unknown> => ({
    id,
    ...storedWords(indexedWords(contentAt(id - taken))),
    userId,
    senderUserId: null,
    hiddenFromSender: false,
    content: contentAt(id - taken),
    isRead: id % 2 === 0,
    isPublic: id % 10 === 0,
    imageName: null,
    audio: null,
    createdAt: new Date(),
    revision: 1,
    reply: null,
    submission: { key: `seed-${id}`, content: `seed-${id}` },
    ...placeInConversation(id - taken, conversations, taken),
    outbox: [],
  });

  return {
    /** From 1, oldest first. */
    idAt: (place: number): number => taken + place,
    async growTo(target: number): Promise<void> {
      const places = { first: size + 1, last: target };
      await insertRecords(connection, 'messages', places, (place) => messageOf(taken + place));
      size = target;
      const counts = { received: size, read: Math.floor(size / 2), public: Math.floor(size / 10), sent: 0 };
      const spans = { receivedIds: { first: taken + 1, last: taken + size } };
      await connection
        .collection<{ _id: number }>('message_counts')
        .updateOne({ _id: userId }, { $set: { ...counts, ...spans, version: size, applied: [] } }, { upsert: true });
    },
    close: () => connection.close(),
  };
}
