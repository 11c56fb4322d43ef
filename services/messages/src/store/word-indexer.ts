import type { OutboxEntry } from '@najwa/common/amqp';
import { outsideRequest, type Logger } from '@najwa/common/logging';
import { retryOnDeadlock } from '@najwa/common/mongo';
import { LRUCache } from 'lru-cache';
import type { mongo } from 'mongoose';
import type { CountingEntry, CountRepository } from './counts.js';
import { NOT_INDEXED, type MessageDocument } from './message-record.js';
import { wordsIndex, type StoredMessages } from './messages.js';

const BATCH = 200;

/** How long a complete inbox is skipped. */
const COMPLETE_MS = 10 * 60 * 1000;
const MAX_REMEMBERED = 50_000;

export interface WordIndexer {
  /** Indexes one batch for each affected inbox. Never throws or blocks. */
  notify(entries: readonly OutboxEntry[]): void;
  stop(): Promise<void>;
}

/**
 * Searches scan short inboxes, so their messages are not indexed. Once an inbox is long, new messages are written with
 * words and older ones indexed here. Searches query both, so every state in between is complete.
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
    // The revision skips messages changed meanwhile, which a later batch indexes.
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
