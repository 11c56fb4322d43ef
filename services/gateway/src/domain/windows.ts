import { thinnedShareOf } from '@najwa/common/limits';
import { LRUCache } from 'lru-cache';

export type WindowCount = [key: string, count: number, endsAt: number];

/** Fixed windows of at most `points`. */
export interface Windows {
  /** @returns milliseconds to wait, else 0 */
  take(key: string): number;
  takeCounts(): WindowCount[];
  add(counts: readonly WindowCount[]): void;
}

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

export function createWindows(options: WindowsOptions): Windows {
  const { points, windowMs, scale, isShared, isThinned = false, random = Math.random, now = Date.now } = options;
  const windows = new LRUCache<string, Window>({ max: MAX_KEYS });
  const maxCount = scale === 0 ? Infinity : Math.max(1, Math.round(points * scale));
  const share = isThinned && scale !== 0 ? thinnedShareOf(maxCount) : 1;
  let untold = new Map<string, number>();

  const windowOf = (key: string, at: number): Window => {
    const known = windows.get(key);
    if (known !== undefined && known.endsAt > at) return known;
    const opened = { count: 0, endsAt: at + windowMs - (isThinned ? at % windowMs : 0) };
    windows.set(key, opened);
    return opened;
  };

  return {
    take(key) {
      if (scale === 0) return 0;
      const at = now();
      const window = windowOf(key, at);
      const counted = share === 1 || random() * share < 1 ? share : 0;
      window.count += counted;
      if (isShared) untold.set(key, (untold.get(key) ?? 0) + counted);
      return window.count > maxCount ? window.endsAt - at : 0;
    },
    takeCounts() {
      const counts = [...untold].flatMap(([key, count]): WindowCount[] => {
        const window = windows.peek(key);
        return window ? [[key, count, window.endsAt]] : [];
      });
      untold = new Map();
      return counts;
    },
    add(counts) {
      const at = now();
      for (const [key, count, endsAt] of counts) {
        if (endsAt <= at) continue;
        const window = windowOf(key, at);
        window.count += count;
        window.endsAt = Math.min(window.endsAt, endsAt);
      }
    },
  };
}
