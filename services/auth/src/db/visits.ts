import { createHmac } from 'node:crypto';
import { retryOnDeadlock, ensureIndexes, IN_BACKGROUND, isDuplicateKey } from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';

interface VisitDocument {
  /**
   * Tag of the page's owner and the visitor. Visitors without a cookie are known by address and browser, so with a plain
   * hash a thief of the database could try all addresses, and find a message beside a visit.
   */
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
  /** @returns whether the visit counts: the visitor's last counted visit of the page was before `since` */
  take(visit: { userId: number; visitor: string; at: Date }, since: Date): Promise<boolean>;
  forgetBefore(date: Date): Promise<void>;
}

/** @param keys ACCOUNT_KEYS: the first one makes tags. After a rotation a visitor may count once more */
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
        // A recent visit does not match the filter, and the unique index then refuses to insert another.
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
