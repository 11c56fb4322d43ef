import type { OutboxEntry } from '@najwa/common/amqp';
import { outsideRequest, type Logger } from '@najwa/common/logging';
import { retryOnDeadlock } from '@najwa/common/mongo';
import { LRUCache } from 'lru-cache';
import type { mongo } from 'mongoose';
import type { CountingEntry, CountRepository } from './counts.js';
import { NOT_INDEXED, type MessageDocument } from './message-record.js';
import { wordsIndex, type StoredMessages } from './messages.js';

const BATCH = 200;

/** Inboxes that were found complete are not looked at for so long. */
const COMPLETE_MS = 10 * 60 * 1000;
const MAX_REMEMBERED = 50_000;

/** Puts the messages of long inboxes that have no words in the index of words into it, in the background. */
export interface WordIndexer {
  /** Considers the inboxes that these entries are about, one batch of messages of each. Never throws or blocks. */
  notify(entries: readonly OutboxEntry[]): void;
  stop(): Promise<void>;
}

/**
 * A message is written without words in the index while its inbox is short: a search looks through it. Once it is long,
 * new messages are written with them, and the others get them here. A search asks for both, so it misses none
 * before, meanwhile or when nothing is left, and a crash or a late replica only leaves more to look through.
 */
export function createWordIndexer(
  { model }: StoredMessages,
  { isLong }: Pick<CountRepository, 'isLong'>,
  logger: Logger,
): WordIndexer {
  const complete = new LRUCache<number, true>({ max: MAX_REMEMBERED, ttl: COMPLETE_MS });
  const due = new Set<number>();
  let working: Promise<void> | undefined;

  const indexOf = async (userId: number): Promise<void> => {
    const found = await model
      .find({ userId, words: NOT_INDEXED }, { revision: 1, unindexedWords: 1 }, { hint: wordsIndex, limit: BATCH })
      .lean<(Pick<MessageDocument, 'revision' | 'unindexedWords'> & { _id: mongo.ObjectId })[]>();
    if (found.length < BATCH) complete.set(userId, true);
    if (found.length === 0) return;
    // A message that was changed meanwhile has got its words with the change, or gets them with the next batch.
    const updates = found.map(({ _id, revision, unindexedWords = [] }) => ({
      updateOne: {
        filter: { _id, revision, words: NOT_INDEXED },
        update: { $set: { words: unindexedWords }, $unset: { unindexedWords: 1 } },
      },
    }));
    await retryOnDeadlock(() => model.collection.bulkWrite(updates, { ordered: false }));
  };

  const work = async (): Promise<void> => {
    for (const userId of due) {
      due.delete(userId);
      try {
        await indexOf(userId);
      } catch (error) {
        logger.warn({ err: error }, 'words of an inbox not indexed, its next message tries again');
      }
    }
  };

  return {
    notify(entries) {
      for (const { counts = [] } of entries as readonly CountingEntry[])
        for (const { userId } of counts)
          if (typeof userId === 'number' && isLong(userId) && !complete.has(userId)) due.add(userId);
      if (due.size > 0) working ??= outsideRequest(work).finally(() => (working = undefined));
    },
    stop: async () => working,
  };
}
