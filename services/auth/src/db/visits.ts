import { createHmac } from 'node:crypto';
import { retryOnDeadlock, ensureIndexes, IN_BACKGROUND, isDuplicateKey } from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';

interface VisitDocument {
  /** HMAC of page owner and visitor: a plain hash could be brute-forced and link a visit to a message. */
  key: string;
  countedAt: Date;
}

const COLLECTION = 'visits';

const schema = new Schema<VisitDocument>(
  { key: String, countedAt: Date },
  { collection: COLLECTION, versionKey: false },
);

export interface VisitRepository {
  prepare(): Promise<void>;
  /** @returns whether it counts */
  take(visit: { userId: number; visitor: string; at: Date }, since: Date): Promise<boolean>;
  forgetBefore(date: Date): Promise<void>;
}

/** @param keys ACCOUNT_KEYS: the first makes tags, so a visitor may count again after a rotation */
export function createVisitRepository(connection: Connection, [secret]: readonly Buffer[]): VisitRepository {
  if (secret === undefined) throw new Error('There is no key for visits.');
  const model = connection.model('Visit', schema);
  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { key: 1 }, name: 'key', unique: true },
        { key: { countedAt: 1 }, name: 'counted_at' },
      ]),
    async take({ userId, visitor, at }, since) {
      const key = createHmac('sha256', secret).update(`visit ${userId} ${visitor}`).digest('base64url');
      try {
        // The filter skips a recent visit, so the upsert meets the unique index.
        await retryOnDeadlock(() =>
          model.updateOne({ key, countedAt: { $lt: since } }, { $set: { countedAt: at } }, { upsert: true }),
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async forgetBefore(date) {
      await model.deleteMany({ countedAt: { $lt: date } }, IN_BACKGROUND);
    },
  };
}
