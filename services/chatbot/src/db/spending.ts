import { retryOnDeadlock, ensureIndexes, IN_BACKGROUND, isDuplicateKey } from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';

interface SpendingDocument {
  /** Day and caller, or day and "all". */
  key: string;
  tokens: number;
  expiresAt: Date;
}

const COLLECTION = 'token_spending';

const schema = new Schema<SpendingDocument>(
  { key: String, tokens: Number, expiresAt: Date },
  { collection: COLLECTION, versionKey: false },
);

/** Token budgets, exact under concurrency. */
export interface SpendingRepository {
  prepare(): Promise<void>;
  /** Reserves tokens. @returns false, without a write, if too few are left */
  take(key: string, tokens: number, budget: number, expiresAt: Date): Promise<boolean>;
  /** @param tokens negative to refund */
  correct(key: string, tokens: number): Promise<void>;
  removeExpired(now: Date): Promise<void>;
  remove(keys: string[]): Promise<void>;
}

export function createSpendingRepository(connection: Connection): SpendingRepository {
  const model = connection.model('Spending', schema);

  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { key: 1 }, name: 'key', unique: true },
        { key: { expiresAt: 1 }, name: 'expires_at' },
      ]),
    async take(key, tokens, budget, expiresAt) {
      if (tokens > budget) return false;
      const affordable = { key, tokens: { $lte: budget - tokens } };
      try {
        await retryOnDeadlock(() =>
          model.updateOne(affordable, { $inc: { tokens }, $setOnInsert: { expiresAt } }, { upsert: true }),
        );
        return true;
      } catch (error) {
        // Exhausted, or a concurrent first reservation won.
        if (!isDuplicateKey(error)) throw error;
        const { matchedCount } = await retryOnDeadlock(() => model.updateOne(affordable, { $inc: { tokens } }));
        return matchedCount === 1;
      }
    },
    async correct(key, tokens) {
      if (tokens !== 0) await retryOnDeadlock(() => model.updateOne({ key }, { $inc: { tokens } }));
    },
    async removeExpired(now) {
      await model.deleteMany({ expiresAt: { $lte: now } }, IN_BACKGROUND);
    },
    async remove(keys) {
      await model.deleteMany({ key: { $in: keys } });
    },
  };
}
