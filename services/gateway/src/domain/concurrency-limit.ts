import { AppError } from '@najwa/common/errors';
import type { ClientScope } from '@najwa/common/limits';

export interface ConcurrencyLimitOptions {
  /** Bound for all keys together. */
  total: number;
  /** Of a network or an account. Wider scopes have their share of it, and at most a quarter of all. */
  perKey: number;
  /** Called for every refused slot. */
  onRefused?: () => void;
}

/** Slots in use by key, and in all. */
export type SlotCounts = [key: string, count: number][];

/** Limits concurrency per key and in total. */
export interface ConcurrencyLimit {
  /**
   * @param scopes of the client, from narrow to wide
   * @returns a function that releases the slot, or the limit that is reached
   */
  acquire(scopes: readonly ClientScope[]): (() => void) | 'key' | 'total';
  /** Slots in use here. */
  inProgress(): number;
  /** Slots that nobody uses, here or elsewhere. */
  left(): number;
  inUse(): SlotCounts;
  /** Tells which slots another worker uses. They count as used here. */
  setOthers(worker: number, counts: SlotCounts): void;
}

/** Key of all slots. No client has it. */
const ALL = '';
/** One site leaves room for three others. */
const LARGEST_PART = 1 / 4;

/** A client that is counted by one key, as an account is. */
export const soleScope = (key: string): readonly ClientScope[] => [{ key, share: 1 }];

export function createConcurrencyLimit({
  total,
  perKey,
  onRefused = () => undefined,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  const counts = new Map<string, number>();
  const others = new Map<number, Map<string, number>>();
  const largest = Math.max(perKey, total * LARGEST_PART);

  const usedBy = (key: string): number => {
    let used = counts.get(key) ?? 0;
    for (const other of others.values()) used += other.get(key) ?? 0;
    return used;
  };
  const add = (key: string, change: 1 | -1): void => {
    const count = (counts.get(key) ?? 0) + change;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };

  return {
    inProgress: () => counts.get(ALL) ?? 0,
    left: () => total - usedBy(ALL),
    inUse: () => [...counts],
    setOthers(worker, used) {
      if (used.length === 0) others.delete(worker);
      else others.set(worker, new Map(used));
    },
    acquire(scopes) {
      const isFull = scopes.some(({ key, share }) => usedBy(key) >= Math.min(perKey * share, largest));
      const reached = isFull ? 'key' : usedBy(ALL) >= total ? 'total' : undefined;
      if (reached !== undefined) {
        onRefused();
        return reached;
      }
      const keys = [ALL, ...scopes.map(({ key }) => key)];
      for (const key of keys) add(key, 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        for (const key of keys) add(key, -1);
      };
    },
  };
}

const RETRY_SECONDS = 2;

/** @param bound the one that is reached: of one network, or of all together */
export const refuseConcurrency = (bound: 'key' | 'total'): AppError =>
  bound === 'key'
    ? new AppError({
        code: 'too_many_requests',
        message: 'Too many requests at once. Wait until some are answered.',
        retryAfter: RETRY_SECONDS,
      })
    : new AppError({
        code: 'unavailable',
        message: 'The site is too busy right now. Try again shortly.',
        retryAfter: RETRY_SECONDS,
      });
