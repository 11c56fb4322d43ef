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

/**
 * Searches scan short inboxes, so their messages are not indexed. Once an inbox is long, new messages are written with
 * words and older ones indexed here. Searches query both, so every state in between is complete.
 */
export class WordIndexer {
  readonly #messages;
  readonly #counts;
  readonly #logger;
  readonly #complete = new LRUCache<number, true>({ max: MAX_REMEMBERED, ttl: COMPLETE_MS });
  readonly #due = new Set<number>();
  #working: Promise<void> | undefined;

  constructor(messages: StoredMessages, counts: CountRepository, logger: Logger) {
    this.#messages = messages;
    this.#counts = counts;
    this.#logger = logger;
  }

  /** Indexes one batch for each affected inbox. Never throws or blocks. */
  notify(entries: readonly OutboxEntry[]): void {
    for (const { counts = [] } of entries as readonly CountingEntry[])
      for (const { userId } of counts)
        if (typeof userId === 'number' && this.#counts.isLong(userId) && !this.#complete.has(userId))
          this.#due.add(userId);
    if (this.#due.size > 0)
      this.#working ??= outsideRequest(() => this.#work()).finally(() => (this.#working = undefined));
  }
  async stop(): Promise<void> {
    return this.#working;
  }

  async #indexOf(userId: number): Promise<void> {
    const found = await this.#messages.model
      .find({ userId, words: NOT_INDEXED }, { revision: 1, unindexedWords: 1 }, { hint: wordsIndex, limit: BATCH })
      .lean<(Pick<MessageDocument, 'revision' | 'unindexedWords'> & { _id: mongo.ObjectId })[]>();
    if (found.length < BATCH) this.#complete.set(userId, true);
    if (found.length === 0) return;
    // The revision skips messages changed meanwhile, which a later batch indexes.
    const updates = found.map(({ _id, revision, unindexedWords = [] }) => ({
      updateOne: {
        filter: { _id, revision, words: NOT_INDEXED },
        update: { $set: { words: unindexedWords }, $unset: { unindexedWords: 1 } },
      },
    }));
    await retryOnDeadlock(() => this.#messages.model.collection.bulkWrite(updates, { ordered: false }));
  }
  async #work(): Promise<void> {
    for (const userId of this.#due) {
      this.#due.delete(userId);
      try {
        await this.#indexOf(userId);
      } catch (error) {
        this.#logger.warn({ err: error }, 'words of an inbox not indexed, its next message tries again');
      }
    }
  }
}
