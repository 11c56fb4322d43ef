export interface ConcurrencyLimitOptions {
  /** Bound for all keys together. */
  total: number;
  perKey: number;
}

/** Limits concurrency per key and in total. */
export interface ConcurrencyLimit {
  /** @returns a function that releases the slot, or the limit that is reached */
  acquire(key: string): (() => void) | 'key' | 'total';
}

export function createConcurrencyLimit({ total, perKey }: ConcurrencyLimitOptions): ConcurrencyLimit {
  const counts = new Map<string, number>();
  let inProgress = 0;
  return {
    acquire(key) {
      const count = counts.get(key) ?? 0;
      if (count >= perKey) return 'key';
      if (inProgress >= total) return 'total';
      counts.set(key, count + 1);
      inProgress += 1;
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        inProgress -= 1;
        const left = (counts.get(key) ?? 0) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
  };
}
