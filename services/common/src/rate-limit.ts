import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from './errors.js';
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
export function createRateLimiter({ limit: { name, points, seconds }, scale, connection }: RateLimiterOptions): RateLimiter {
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
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points: scaled, duration: seconds }),
  });
  return {
    async consume(key) {
      try {
        // Keys name accounts and addresses, which have no business in another collection.
        await limiter.consume(createHash('sha256').update(key).digest('base64url'));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        throw new AppError({ code: 'too_many_requests', message: 'Too many at once. Wait a little.', retryAfter: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
      }
    },
  };
}
