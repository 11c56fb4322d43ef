import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { createBatcher } from './batcher.js';
import { AppError } from './errors.js';
import type { Metrics } from './metrics/metrics.js';
import { retryOnDeadlock, isDuplicateKey } from './mongo/errors.js';
import { ensureIndexes } from './mongo/indexes.js';

export interface RateLimit {
  /** Unique name of the limit. Prefix of its keys. */
  name: string;
  points: number;
  /** Window in seconds. */
  seconds: number;
}

export interface RateLimiter {
  /** Consumes one point of a key. @throws {AppError} `too_many_requests` with the retry time if none is left */
  consume(key: string): Promise<void>;
}

export interface RateLimiterOptions {
  limit: RateLimit;
  /** RATE_LIMIT_SCALE: multiplies the points; 0 disables the limit. */
  scale: number;
  /** Database that stores the points for all replicas. */
  connection: Connection;
  metrics?: Metrics;
  /**
   * Hash under which a key is stored. Without a secret in it, addresses can be found by trying all of them.
   * @default SHA-256
   */
  hash?: (key: string) => Promise<string>;
}

const COLLECTION = 'rate_limits';

const sha256 = (key: string): Promise<string> => Promise.resolve(createHash('sha256').update(key).digest('base64url'));

/** Creates the indexes of the limits. Call before the service accepts requests. */
export const prepareRateLimits = (connection: Connection): Promise<void> =>
  ensureIndexes(connection, COLLECTION, [
    { key: { key: 1 }, name: 'key', unique: true },
    { key: { expire: 1 }, name: 'expire', expireAfterSeconds: 0 },
  ]);

/** A rate limit shared by all replicas. While the database is unavailable, each replica counts on its own. */
export function createRateLimiter({
  limit: { name, points, seconds },
  scale,
  connection,
  metrics,
  hash = sha256,
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
    // Blocked keys are served from memory without a database call.
    inMemoryBlockOnConsumed: scaled + 1,
  });
  const insurance = new RateLimiterMemory({ keyPrefix: name, points: scaled, duration: seconds });

  const takeShared = (key: string, wanted: number): Promise<RateLimiterRes> => {
    const consumeShared = () => retryOnDeadlock(() => limiter.consume(key, wanted));
    // Two concurrent first uses both try to insert the key. Retry after a duplicate key.
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

  /** Consumes points of one key. @returns one entry per point: undefined, or the error if none was left */
  const take = async (key: string, wanted: number): Promise<(AppError | undefined)[]> => {
    try {
      await takeFromSomewhere(key, wanted);
      return [];
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const { consumedPoints, msBeforeNext } = error;
      const refusal = new AppError({
        code: 'too_many_requests',
        message: 'Too many requests. Try again later.',
        retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      });
      // Requests refused from memory did not consume a point.
      const left = consumedPoints === 0 ? 0 : Math.max(0, wanted - (consumedPoints - scaled));
      metrics?.limitsRefused.inc({ limit: name }, wanted - left);
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
  // Keys contain accounts and addresses, which must not be copied into other collections.
  return { consume: async (key) => consume(await hash(key)) };
}
