import { randomBytes } from 'node:crypto';
import { isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import { RETENTION } from '@najwa/proto/http';
import type { Connection } from 'mongoose';

const COLLECTION = 'network_salts';
/** A tag uses the salts of two periods, so it lasts at least one. */
const PERIOD_MS = (RETENTION.networkTagHours / 2) * 60 * 60 * 1000;
const SALT_BYTES = 32;

interface SaltDocument {
  /** Half days since 1970. */
  _id: number;
  salt: string;
}

export const currentPeriods = (now: Date): [number, number] => {
  const period = Math.floor(now.getTime() / PERIOD_MS);
  return [period - 1, period];
};

/**
 * Each salt lives 24 hours: tags of one network match for 12 to 24 hours and cannot be linked later, even with the
 * database.
 */
export class NetworkSalts {
  readonly #collection;
  #known: { period: number; salts: Promise<string[]> } | undefined;

  constructor(connection: Connection) {
    this.#collection = connection.collection<SaltDocument>(COLLECTION);
  }

  current(now = new Date()): Promise<string[]> {
    const [before, period] = currentPeriods(now);
    if (this.#known?.period !== period) {
      const salts = Promise.all([this.#read(before), this.#read(period)]);
      this.#known = { period, salts };
      salts.catch(() => (this.#known = undefined));
    }
    return this.#known.salts;
  }
  /** Makes tags derived from expired salts meaningless. */
  async forgetOld(now: Date): Promise<void> {
    await this.#collection.deleteMany({ _id: { $lt: currentPeriods(now)[0] } });
  }

  async #read(period: number): Promise<string> {
    const found = await this.#collection.findOne({ _id: period });
    if (found) return found.salt;
    const salt = randomBytes(SALT_BYTES).toString('base64url');
    try {
      await retryOnDeadlock(() => this.#collection.insertOne({ _id: period, salt }));
      return salt;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return this.#read(period);
    }
  }
}
