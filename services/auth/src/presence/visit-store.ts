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

export class VisitRepository {
  readonly #secret: Buffer;
  readonly #model;

  /** @param keys ACCOUNT_KEYS: the first makes tags, so a visitor may count again after a rotation */
  constructor(connection: Connection, [secret]: readonly Buffer[]) {
    if (secret === undefined) throw new Error('There is no key for visits.');
    this.#secret = secret;
    this.#model = connection.model('Visit', schema);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#model.db, COLLECTION, [
      { key: { key: 1 }, name: 'key', unique: true },
      { key: { countedAt: 1 }, name: 'counted_at' },
    ]);
  }
  /** @returns whether it counts */
  async take({ userId, visitor, at }: { userId: number; visitor: string; at: Date }, since: Date): Promise<boolean> {
    const key = createHmac('sha256', this.#secret).update(`visit ${userId} ${visitor}`).digest('base64url');
    try {
      // The filter skips a recent visit, so the upsert meets the unique index.
      await retryOnDeadlock(() =>
        this.#model.updateOne({ key, countedAt: { $lt: since } }, { $set: { countedAt: at } }, { upsert: true }),
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
  async forgetBefore(date: Date): Promise<void> {
    await this.#model.deleteMany({ countedAt: { $lt: date } }, IN_BACKGROUND);
  }
}
