import { AppError } from '@najwa/common/errors';
import type { ClientScope } from '@najwa/common/limits';

export interface ConcurrencyLimitOptions {
  total: number;
  /** Wider scopes have their share of it, at most a quarter of the total. */
  perKey: number;
  onRefused?: () => void;
}

export type SlotCounts = [key: string, count: number][];

export interface ConcurrencyLimit {
  /**
   * @param scopes narrow to wide
   * @returns the release, or the exceeded limit
   */
  acquire(scopes: readonly ClientScope[]): (() => void) | 'key' | 'total';
  inProgress(): number;
  left(): number;
  inUse(): SlotCounts;
  setOthers(worker: number, counts: SlotCounts): void;
}

/** No client has this key. */
const ALL = '';
/** One site leaves room for three others. */
const LARGEST_PART = 1 / 4;

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
