import { indexedWords } from '@najwa/proto/words';
import { openDatabase } from '@najwa/testing';

const BATCH = 1_000;
const WRITERS = 4;
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

export interface SeededInboxOptions {
  url: string;
  /** Of messages. */
  database: string;
  userId: number;
  /** Of the inbox. */
  capacity: number;
}

/** Directly in the database, as after publishing. */
export async function openSeededInbox({ url, database, userId, capacity }: SeededInboxOptions) {
  const connection = await openDatabase(database, url);
  // All at once: earlier messages may still be in progress.
  const counter = await connection
    .collection<{ _id: string; value: number }>('counters')
    .findOneAndUpdate({ _id: 'messages' }, { $inc: { value: capacity } }, { upsert: true, returnDocument: 'after' });
  const taken = (counter?.value ?? Number.NaN) - capacity;
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
    outbox: [],
  });

  return {
    /** From 1, oldest first. */
    idAt: (place: number): number => taken + place,
    async growTo(target: number): Promise<void> {
      const write = async (): Promise<void> => {
        while (size < target) {
          const count = Math.min(BATCH, target - size);
          const first = taken + size + 1;
          size += count;
          await connection.collection('messages').insertMany(
            Array.from({ length: count }, (_, index) => messageOf(first + index)),
            { ordered: false },
          );
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, write));
      const counts = { received: size, read: Math.floor(size / 2), public: Math.floor(size / 10), sent: 0 };
      const spans = { receivedIds: { first: taken + 1, last: taken + size } };
      await connection
        .collection<{ _id: number }>('message_counts')
        .updateOne({ _id: userId }, { $set: { ...counts, ...spans, version: size, applied: [] } }, { upsert: true });
    },
    close: () => connection.close(),
  };
}
