import { randomBytes } from 'node:crypto';
import { isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import { RETENTION } from '@najwa/proto/http';
import type { Connection } from 'mongoose';

const COLLECTION = 'network_salts';
/** A tag is made with the salts of two periods, so that it lives for one of them at least. */
const PERIOD_MS = (RETENTION.networkTagHours / 2) * 60 * 60 * 1000;
const SALT_BYTES = 32;

interface SaltDocument {
  /** Number of the half day in which it begins, since 1970. */
  _id: number;
  salt: string;
}

/** The salt of a half day lives for two. */
export const currentPeriods = (now: Date): [number, number] => {
  const period = Math.floor(now.getTime() / PERIOD_MS);
  return [period - 1, period];
};

export interface NetworkSalts {
  /** The two salts that are in use. */
  current(now?: Date): Promise<string[]>;
  /** Forgets the salts that are no longer in use. Tags that were made with them say nothing from then on. */
  forgetOld(now: Date): Promise<void>;
}

/**
 * Salts for tags of networks. Each one lives for 24 hours at most, so two tags of one network are equal for 12 to 24
 * hours, and afterwards nobody can tell, not even with the database.
 */
export function createNetworkSalts(connection: Connection): NetworkSalts {
  const collection = connection.collection<SaltDocument>(COLLECTION);
  let known: { period: number; salts: Promise<string[]> } | undefined;

  const read = async (period: number): Promise<string> => {
    const found = await collection.findOne({ _id: period });
    if (found) return found.salt;
    const salt = randomBytes(SALT_BYTES).toString('base64url');
    try {
      await retryOnDeadlock(() => collection.insertOne({ _id: period, salt }));
      return salt;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return read(period);
    }
  };

  return {
    current(now = new Date()) {
      const [before, period] = currentPeriods(now);
      if (known?.period !== period) {
        const salts = Promise.all([read(before), read(period)]);
        known = { period, salts };
        salts.catch(() => (known = undefined));
      }
      return known.salts;
    },
    async forgetOld(now) {
      await collection.deleteMany({ _id: { $lt: currentPeriods(now)[0] } });
    },
  };
}
