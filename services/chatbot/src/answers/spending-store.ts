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
export class SpendingRepository {
  readonly #model;

  constructor(connection: Connection) {
    this.#model = connection.model('Spending', schema);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#model.db, COLLECTION, [
      { key: { key: 1 }, name: 'key', unique: true },
      { key: { expiresAt: 1 }, name: 'expires_at' },
    ]);
  }
  /** Reserves tokens. @returns false, without a write, if too few are left */
  async take(key: string, tokens: number, budget: number, expiresAt: Date): Promise<boolean> {
    if (tokens > budget) return false;
    const affordable = { key, tokens: { $lte: budget - tokens } };
    try {
      await retryOnDeadlock(() =>
        this.#model.updateOne(affordable, { $inc: { tokens }, $setOnInsert: { expiresAt } }, { upsert: true }),
      );
      return true;
    } catch (error) {
      // Exhausted, or a concurrent first reservation won.
      if (!isDuplicateKey(error)) throw error;
      const { matchedCount } = await retryOnDeadlock(() => this.#model.updateOne(affordable, { $inc: { tokens } }));
      return matchedCount === 1;
    }
  }
  /** @param tokens negative to refund */
  async correct(key: string, tokens: number): Promise<void> {
    if (tokens !== 0) await retryOnDeadlock(() => this.#model.updateOne({ key }, { $inc: { tokens } }));
  }
  async removeExpired(now: Date): Promise<void> {
    await this.#model.deleteMany({ expiresAt: { $lte: now } }, IN_BACKGROUND);
  }
  async remove(keys: string[]): Promise<void> {
    await this.#model.deleteMany({ key: { $in: keys } });
  }
}
