import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import {
  RateLimiterMemory,
  RateLimiterMongo,
  RateLimiterRes,
  type IRateLimiterMongoOptions,
} from 'rate-limiter-flexible';
import { createBatcher } from '../batcher.js';
import { clientNetwork, clientScopes, WIDE_SHARES } from './client-network.js';
import { AppError } from '../errors/errors.js';
import { senderKey, type Identity } from '../identity/identity.js';
import type { Metrics } from '../metrics/metrics.js';
import { retryOnDeadlock, isDuplicateKey } from '../mongo/errors.js';
import { ensureIndexes } from '../mongo/indexes.js';

export interface RateLimit {
  /** Unique. Prefix of its keys. */
  name: string;
  points: number;
  seconds: number;
}

export interface RateLimiter {
  /**
   * One point by default.
   * @throws {AppError} `too_many_requests` with the retry time
   */
  consume(key: string, points?: number): Promise<void>;
}

export interface RateLimiterOptions {
  limit: RateLimit;
  /** RATE_LIMIT_SCALE multiplies the points; 0 disables the limit. */
  scale: number;
  connection: Connection;
  metrics?: Metrics;
  /**
   * Hash of stored keys. Without a secret, addresses can be found by trying all of them.
   * @default SHA-256
   */
  hash?: (key: string) => Promise<string>;
}

const COLLECTION = 'rate_limits';

const MAX_USED_UP = 10_000;

class SharedCounts extends RateLimiterMongo {
  readonly #counts;

  constructor(connection: Connection, options: Omit<IRateLimiterMongoOptions, 'storeClient'>) {
    super({ storeClient: connection, tableName: COLLECTION, disableIndexesCreation: true, ...options });
    this.#counts = connection.collection(COLLECTION);
  }

  /**
   * Called by the library, whose own inserts a second document when a window has ended. On DocumentDB, such inserts fail, or deadlock
   * for a second.
   */
  _upsert(key: string, points: number, windowMs: number): Promise<unknown> {
    const isOpen = { $gt: ['$expire', new Date()] };
    const closesAt = new Date(Date.now() + windowMs);
    return this.#counts.findOneAndUpdate(
      { key },
      [
        {
          $set: {
            points: { $cond: [isOpen, { $add: ['$points', points] }, points] },
            expire: { $cond: [isOpen, '$expire', closesAt] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
  }
}

const sha256 = (key: string): Promise<string> => Promise.resolve(createHash('sha256').update(key).digest('base64url'));

/** Creates indexes. Call before the service accepts requests. */
export const prepareRateLimits = (connection: Connection): Promise<void> =>
  ensureIndexes(connection, COLLECTION, [
    { key: { key: 1 }, name: 'key', unique: true },
    { key: { expire: 1 }, name: 'expire', expireAfterSeconds: 0 },
  ]);

/** Shared by all replicas. During an outage of the database, each counts on its own. */
export function createRateLimiter({
  limit: { name, points, seconds },
  scale,
  connection,
  metrics,
  hash = sha256,
}: RateLimiterOptions): RateLimiter {
  if (scale === 0) return { consume: () => Promise.resolve() };
  const scaled = Math.max(1, Math.round(points * scale));
  const limiter = new SharedCounts(connection, {
    keyPrefix: name,
    points: scaled,
    duration: seconds,
    // Answers for exhausted keys without a database call.
    inMemoryBlockOnConsumed: scaled + 1,
  });
  const insurance = new RateLimiterMemory({ keyPrefix: name, points: scaled, duration: seconds });

  const takeShared = (key: string, wanted: number): Promise<RateLimiterRes> => {
    const consumeShared = () => retryOnDeadlock(() => limiter.consume(key, wanted));
    return consumeShared().catch((error: unknown) => {
      // Concurrent first uses both insert the key.
      if (isDuplicateKey(error)) return consumeShared();
      throw error;
    });
  };

  const take = async (key: string, wanted: number): Promise<{ left: number; refusal?: AppError }> => {
    try {
      await takeShared(key, wanted).catch((error: unknown) => {
        if (error instanceof RateLimiterRes) throw error;
        return insurance.consume(key, wanted);
      });
      return { left: wanted };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const { consumedPoints, msBeforeNext } = error;
      const refusal = new AppError({
        code: 'too_many_requests',
        message: 'Too many requests. Try again later.',
        retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      });
      // Requests refused from memory consume nothing.
      const left = consumedPoints === 0 ? 0 : Math.max(0, wanted - (consumedPoints - scaled));
      metrics?.limitsRefused.inc({ limit: name }, wanted - left);
      return { left, refusal };
    }
  };

  const consume = createBatcher<{ key: string; points: number }, undefined>({
    runBatch: async (calls) => {
      const wanted = new Map<string, number>();
      for (const call of calls) wanted.set(call.key, (wanted.get(call.key) ?? 0) + call.points);
      const outcomes = new Map(
        await Promise.all([...wanted].map(async ([key, sum]) => [key, await take(key, sum)] as const)),
      );
      return calls.map((call) => {
        const outcome = outcomes.get(call.key);
        if (outcome === undefined || outcome.left < call.points) return outcome?.refusal;
        outcome.left -= call.points;
        return undefined;
      });
    },
  });
  // Keys contain accounts and addresses.
  return { consume: async (key, wanted = 1) => consume({ key: await hash(key), points: wanted }) };
}

export const createRateLimiters = <Name extends string>(
  limits: Record<Name, RateLimit>,
  options: Omit<RateLimiterOptions, 'limit'>,
): Record<Name, RateLimiter> =>
  Object.fromEntries(
    Object.entries<RateLimit>(limits).map(([name, limit]) => [name, createRateLimiter({ ...options, limit })]),
  ) as Record<Name, RateLimiter>;

/** A thinned limit takes a quarter of its points at once, in a quarter of the calls. */
export const thinnedShareOf = (points: number): number => Math.max(1, Math.ceil(points / 4));

/**
 * Counts at random: with an exact count, a neighbour could use it up and infer other calls from the rest. Windows
 * follow the clock, since a window that opens with a call reveals its time.
 */
export class ThinnedRateLimiter {
  readonly #share: number;
  readonly #windowMs: number;
  readonly #usedUp = new LRUCache<string, number>({ max: MAX_USED_UP });

  /** @param scale of the limiter */
  constructor(
    private readonly limiter: RateLimiter,
    { points, seconds }: RateLimit,
    scale: number,
    private readonly sources = { random: Math.random, now: Date.now },
  ) {
    this.#share = thinnedShareOf(points * scale);
    this.#windowMs = seconds * 1000;
  }

  /** @throws {AppError} `too_many_requests` */
  async consume(key: string): Promise<void> {
    this.refuseUsedUp(key);
    if (this.sources.random() * this.#share >= 1) return;
    const window = this.#window();
    try {
      await this.limiter.consume(`${key} ${window}`, this.#share);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_many_requests') throw error;
      this.#usedUp.set(key, window);
      this.#refuse(window);
    }
  }
  /**
   * As far as this process knows.
   * @throws {AppError} `too_many_requests`
   */
  refuseUsedUp(key: string): void {
    const window = this.#window();
    if (this.#usedUp.get(key) === window) this.#refuse(window);
  }

  #window(): number {
    return Math.floor(this.sources.now() / this.#windowMs);
  }
  #refuse(window: number): never {
    const retryAfter = Math.max(1, Math.ceil(((window + 1) * this.#windowMs - this.sources.now()) / 1000));
    throw new AppError({ code: 'too_many_requests', message: 'Too many requests. Try again later.', retryAfter });
  }
}

export class ClientRateLimiter {
  readonly #networks: RateLimiter;
  readonly #wide: ReadonlyMap<number, RateLimiter>;
  readonly #usedUp = new LRUCache<string, true>({ max: MAX_USED_UP });

  constructor(create: (limit: RateLimit) => RateLimiter, limit: RateLimit) {
    this.#networks = create(limit);
    this.#wide = new Map(
      WIDE_SHARES.map((share) => [
        share,
        create({ ...limit, name: `${limit.name}-x${share}`, points: limit.points * share }),
      ]),
    );
  }

  /**
   * Takes a point of the network, then of line and site, unless the network refuses.
   * @param address as read by the gateway
   * @throws {AppError} `too_many_requests`
   */
  async consume(address: string): Promise<void> {
    // From memory: otherwise each network of a flooding site would cost a write.
    await Promise.all(this.#usedUpOf(address).map((wide) => this.#takeWide(wide)));
    await this.consumeNetwork(address);
    await this.consumeSite(address);
  }
  consumeNetwork(address: string): Promise<void> {
    return this.#networks.consume(clientNetwork(address));
  }
  /** Neighbours may have used it up, so callers ask for a proof of work where they can. */
  async consumeSite(address: string): Promise<void> {
    await Promise.all(this.#wideOf(address).map((wide) => this.#takeWide(wide)));
  }
  /** Counts the account, or a visitor's address. */
  consumeSender(sender: Identity): Promise<void> {
    return sender.user ? this.#networks.consume(senderKey(sender)) : this.consume(sender.ip);
  }
  isSiteUsedUp(address: string): boolean {
    return this.#usedUpOf(address).length > 0;
  }

  #usedUpOf(address: string) {
    return this.#wideOf(address).filter(({ key }) => this.#usedUp.has(key));
  }
  #wideOf(address: string) {
    return clientScopes(address).flatMap(({ key, share }) => {
      const limiter = this.#wide.get(share);
      return limiter ? [{ key, limiter }] : [];
    });
  }
  async #takeWide({ key, limiter }: { key: string; limiter: RateLimiter }): Promise<void> {
    try {
      await limiter.consume(key);
    } catch (error) {
      if (error instanceof AppError && error.retryAfter !== undefined)
        this.#usedUp.set(key, true, { ttl: 1_000 * error.retryAfter });
      throw error;
    }
  }
}
