import { thinnedShareOf } from '@najwa/common/limits';
import { LRUCache } from 'lru-cache';

export type WindowCount = [key: string, count: number, endsAt: number];

export interface WindowsOptions {
  points: number;
  windowMs: number;
  /** RATE_LIMIT_SCALE: multiplies the points; 0 disables the limit. */
  scale: number;
  isShared: boolean;
  /** At random, see `ThinnedRateLimiter`: `points` is a mean. */
  isThinned?: boolean;
  random?: () => number;
  now?: () => number;
}

interface Window {
  count: number;
  endsAt: number;
}

/** Bounds memory. More addresses than this defeat counting anyway. */
const MAX_KEYS = 100_000;

/** Fixed windows of at most `points`. */
export class Windows {
  readonly #options;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_KEYS });
  readonly #maxCount;
  readonly #share;
  #untold = new Map<string, number>();

  constructor(options: WindowsOptions) {
    this.#options = { isThinned: false, random: Math.random, now: Date.now, ...options };
    const { points, scale, isThinned } = this.#options;
    this.#maxCount = scale === 0 ? Infinity : Math.max(1, Math.round(points * scale));
    this.#share = isThinned && scale !== 0 ? thinnedShareOf(this.#maxCount) : 1;
  }

  /** @returns milliseconds to wait, else 0 */
  take(key: string): number {
    const { scale, isShared, random, now } = this.#options;
    if (scale === 0) return 0;
    const at = now();
    const window = this.#windowOf(key, at);
    const counted = this.#share === 1 || random() * this.#share < 1 ? this.#share : 0;
    window.count += counted;
    if (isShared) this.#untold.set(key, (this.#untold.get(key) ?? 0) + counted);
    return window.count > this.#maxCount ? window.endsAt - at : 0;
  }
  takeCounts(): WindowCount[] {
    const counts = [...this.#untold].flatMap(([key, count]): WindowCount[] => {
      const window = this.#windows.peek(key);
      return window ? [[key, count, window.endsAt]] : [];
    });
    this.#untold = new Map();
    return counts;
  }
  add(counts: readonly WindowCount[]): void {
    const at = this.#options.now();
    for (const [key, count, endsAt] of counts) {
      if (endsAt <= at) continue;
      const window = this.#windowOf(key, at);
      window.count += count;
      window.endsAt = Math.min(window.endsAt, endsAt);
    }
  }

  #windowOf(key: string, at: number): Window {
    const known = this.#windows.get(key);
    if (known !== undefined && known.endsAt > at) return known;
    const { windowMs, isThinned } = this.#options;
    const opened = { count: 0, endsAt: at + windowMs - (isThinned ? at % windowMs : 0) };
    this.#windows.set(key, opened);
    return opened;
  }
}
