import { retryOnDeadlock, ensureIndexes, isDuplicateKey, type Submission } from '@najwa/common';
import type { Connection } from 'mongoose';

interface KeyDocument extends Submission {
  usedAt: Date;
}

const COLLECTION = 'reply_keys';

/** For what the keys of replies were used, whatever message they were to. */
export interface ReplyKeyRepository {
  prepare(): Promise<void>;
  /** Notes what a key is used for. @returns for what it was used first */
  use(submission: Submission): Promise<Submission>;
  forget(before: Date): Promise<void>;
}

export function createReplyKeyRepository(connection: Connection): ReplyKeyRepository {
  const collection = connection.collection<KeyDocument>(COLLECTION);
  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { key: 1 }, name: 'key', unique: true },
        { key: { usedAt: 1 }, name: 'used_at' },
      ]),
    async use({ key, content }) {
      try {
        await retryOnDeadlock(() => collection.insertOne({ key, content, usedAt: new Date() }));
        return { key, content };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await collection.findOne({ key }, { projection: { _id: 0, key: 1, content: 1 } })) ?? { key, content };
      }
    },
    async forget(before) {
      await collection.deleteMany({ usedAt: { $lt: before } });
    },
  };
}
