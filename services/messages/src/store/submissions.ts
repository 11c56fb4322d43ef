import type { Submission } from '@najwa/common/limits';
import { retryOnDeadlock, ensureIndexes, IN_BACKGROUND, isDuplicateKey } from '@najwa/common/mongo';
import type { Connection, mongo } from 'mongoose';

const TOMBSTONES = 'deleted_messages';
const REPLY_KEYS = 'reply_keys';
const BATCH = 1_000;

interface TombstoneDocument {
  _id: number;
  deletedAt: Date;
}

/**
 * Stop retries from resending deleted messages, and hold the first answer without its text. Expiry has its own
 * collection: another index on `messages` would slow every insert.
 */
export class TombstoneRepository {
  readonly #messages;
  readonly #collection;

  constructor(connection: Connection, messages: mongo.Collection) {
    this.#messages = messages;
    this.#collection = connection.collection<TombstoneDocument>(TOMBSTONES);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#collection.conn, TOMBSTONES, [{ key: { deletedAt: 1 }, name: 'deleted_at' }]);
  }
  /** Turns deleted messages into tombstones, once their last event is published. */
  async keep(documents: mongo.Filter<mongo.Document>): Promise<void> {
    const found = await this.#messages.find<{ id: number }>(documents, { projection: { _id: 0, id: 1 } }).toArray();
    if (found.length === 0) return;
    const deletedAt = new Date();
    // A replica or an interrupted try may have inserted some.
    await this.#collection
      .insertMany(
        found.map(({ id }) => ({ _id: id, deletedAt })),
        { ordered: false },
      )
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    await this.#messages.updateMany(documents, {
      $set: { senderUserId: null },
      $unset: { outbox: 1, sealedSender: 1, tags: 1 },
    });
  }
  async removeOf(userId: number): Promise<void> {
    const ownTombstones = {
      userId: { $in: [userId, -userId] },
      deletedAt: { $gt: new Date(0) },
      outbox: { $exists: false },
    };
    let found: { id: number }[];
    do {
      found = await this.#messages
        .find<{ id: number }>(ownTombstones, { projection: { _id: 0, id: 1 }, limit: BATCH })
        .toArray();
      const ids = found.map(({ id }) => id);
      await this.#collection.deleteMany({ _id: { $in: ids } });
      await this.#messages.deleteMany({ id: { $in: ids } });
    } while (found.length === BATCH);
  }
  async removeOlderThan(before: Date, limit: number): Promise<number> {
    const expired = await this.#collection.find({ deletedAt: { $lt: before } }, { limit }).toArray();
    const ids = expired.map(({ _id }) => _id);
    if (ids.length === 0) return 0;
    await this.#messages.deleteMany({ id: { $in: ids } });
    await this.#collection.deleteMany({ _id: { $in: ids } });
    return ids.length;
  }
}

interface ReplyKeyDocument extends Submission {
  usedAt: Date;
}

/** Idempotency keys of replies, unique across messages. */
export class ReplyKeyRepository {
  readonly #collection;

  constructor(connection: Connection) {
    this.#collection = connection.collection<ReplyKeyDocument>(REPLY_KEYS);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#collection.conn, REPLY_KEYS, [
      { key: { key: 1 }, name: 'key', unique: true },
      { key: { usedAt: 1 }, name: 'used_at' },
    ]);
  }
  /** @returns the submission that used the key first */
  async use({ key, content }: Submission): Promise<Submission> {
    try {
      await retryOnDeadlock(() => this.#collection.insertOne({ key, content, usedAt: new Date() }));
      return { key, content };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return (
        (await this.#collection.findOne({ key }, { projection: { _id: 0, key: 1, content: 1 } })) ?? { key, content }
      );
    }
  }
  async removeOlderThan(before: Date): Promise<void> {
    await this.#collection.deleteMany({ usedAt: { $lt: before } }, IN_BACKGROUND);
  }
}
