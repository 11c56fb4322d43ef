import { AppError } from '@najwa/common/errors';
import type { ClientScope } from '@najwa/common/limits';

export interface ConcurrencyLimitOptions {
  total: number;
  /** Wider scopes have their share of it, at most a quarter of the total. */
  perKey: number;
  onRefused?: () => void;
}

export type SlotCounts = [key: string, count: number][];

/** No client has this key. */
const ALL = '';
/** One site leaves room for three others. */
const LARGEST_PART = 1 / 4;

export const soleScope = (key: string): readonly ClientScope[] => [{ key, share: 1 }];

export class ConcurrencyLimit {
  readonly #options;
  readonly #largest;
  readonly #counts = new Map<string, number>();
  readonly #others = new Map<number, Map<string, number>>();

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
    this.#largest = Math.max(options.perKey, options.total * LARGEST_PART);
  }

  /**
   * @param scopes narrow to wide
   * @returns the release, or the exceeded limit
   */
  acquire(scopes: readonly ClientScope[]): (() => void) | 'key' | 'total' {
    const { total, perKey, onRefused } = this.#options;
    const isFull = scopes.some(({ key, share }) => this.#usedBy(key) >= Math.min(perKey * share, this.#largest));
    const reached = isFull ? 'key' : this.#usedBy(ALL) >= total ? 'total' : undefined;
    if (reached !== undefined) {
      onRefused?.();
      return reached;
    }
    const keys = [ALL, ...scopes.map(({ key }) => key)];
    for (const key of keys) this.#add(key, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const key of keys) this.#add(key, -1);
    };
  }
  inProgress(): number {
    return this.#counts.get(ALL) ?? 0;
  }
  left(): number {
    return this.#options.total - this.#usedBy(ALL);
  }
  inUse(): SlotCounts {
    return [...this.#counts];
  }
  setOthers(worker: number, used: SlotCounts): void {
    if (used.length === 0) this.#others.delete(worker);
    else this.#others.set(worker, new Map(used));
  }

  #usedBy(key: string): number {
    let used = this.#counts.get(key) ?? 0;
    for (const other of this.#others.values()) used += other.get(key) ?? 0;
    return used;
  }
  #add(key: string, change: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
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
