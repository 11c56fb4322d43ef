import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { createBatcher } from './batcher.js';
import { AppError } from './errors.js';
import { retryOnDeadlock, isDuplicateKey } from './mongo/errors.js';
import { ensureIndexes } from './mongo/indexes.js';

export interface RateLimit {
  /** Stands in the keys; one limit, one name. */
  name: string;
  points: number;
  /** Seconds in which the points may be used. */
  seconds: number;
}

export interface RateLimiter {
  /** Uses one point of a key. @throws {AppError} `too_many_requests` with the time to wait when none is left. */
  consume(key: string): Promise<void>;
}

export interface RateLimiterOptions {
  limit: RateLimit;
  /** RATE_LIMIT_SCALE: multiplies the points; 0 switches the limit off. */
  scale: number;
  /** Where points are counted, for all replicas together. */
  connection: Connection;
}

const COLLECTION = 'rate_limits';

/** Makes the indexes of the limits of a database. Call before anything is served. */
export const prepareRateLimits = (connection: Connection): Promise<void> =>
  ensureIndexes(connection, COLLECTION, [
    { key: { key: 1 }, name: 'key', unique: true },
    { key: { expire: 1 }, name: 'expire', expireAfterSeconds: 0 },
  ]);

/** A limit that all replicas share. While the database does not answer, each replica counts for itself. */
export function createRateLimiter({
  limit: { name, points, seconds },
  scale,
  connection,
}: RateLimiterOptions): RateLimiter {
  if (scale === 0) return { consume: () => Promise.resolve() };
  const scaled = Math.max(1, Math.round(points * scale));
  const limiter = new RateLimiterMongo({
    storeClient: connection,
    dbName: connection.name,
    tableName: COLLECTION,
    disableIndexesCreation: true,
    keyPrefix: name,
    points: scaled,
    duration: seconds,
    // Whoever is over the limit costs no more than a look into memory.
    inMemoryBlockOnConsumed: scaled + 1,
  });
  const insurance = new RateLimiterMemory({ keyPrefix: name, points: scaled, duration: seconds });

  const takeShared = (key: string, wanted: number): Promise<RateLimiterRes> => {
    const consumeShared = () => retryOnDeadlock(() => limiter.consume(key, wanted));
    // Two first uses at the same instant both try to insert the key; the one that lost finds it there.
    return consumeShared().catch((error: unknown) => {
      if (isDuplicateKey(error)) return consumeShared();
      throw error;
    });
  };

  const takeFromSomewhere = (key: string, wanted: number): Promise<RateLimiterRes> =>
    takeShared(key, wanted).catch((error: unknown) => {
      if (error instanceof RateLimiterRes) throw error;
      return insurance.consume(key, wanted);
    });

  /** Uses points of one key. @returns a refusal for each that was not there, after nothing for each that was */
  const take = async (key: string, wanted: number): Promise<(AppError | undefined)[]> => {
    try {
      await takeFromSomewhere(key, wanted);
      return [];
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const { consumedPoints, msBeforeNext } = error;
      const refusal = new AppError({
        code: 'too_many_requests',
        message: 'Too many at once. Wait a little.',
        retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      });
      // What is refused from memory has consumed nothing.
      const left = consumedPoints === 0 ? 0 : Math.max(0, wanted - (consumedPoints - scaled));
      return Array.from({ length: wanted }, (_, index) => (index < left ? undefined : refusal));
    }
  };

  const consume = createBatcher<string, undefined>({
    runBatch: async (keys) => {
      const wanted = new Map<string, number>();
      for (const key of keys) wanted.set(key, (wanted.get(key) ?? 0) + 1);
      const outcomes = new Map(
        await Promise.all([...wanted].map(async ([key, count]) => [key, await take(key, count)] as const)),
      );
      return keys.map((key) => outcomes.get(key)?.shift());
    },
  });
  // Keys name accounts and addresses, which have no business in another collection.
  return { consume: (key) => consume(createHash('sha256').update(key).digest('base64url')) };
}
