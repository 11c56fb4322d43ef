export interface ConcurrencyLimitOptions {
  /** Bound for all keys together. */
  total: number;
  perKey: number;
  /** Called for every refused slot. */
  onRefused?: () => void;
}

/** Slots in use by key. */
export type SlotCounts = [key: string, count: number][];

/** Limits concurrency per key and in total. */
export interface ConcurrencyLimit {
  /** @returns a function that releases the slot, or the limit that is reached */
  acquire(key: string): (() => void) | 'key' | 'total';
  /** Slots in use here. */
  inProgress(): number;
  inUse(): SlotCounts;
  /** Tells which slots another worker uses. They count as used here. */
  setOthers(worker: number, counts: SlotCounts): void;
}

interface Others {
  counts: Map<string, number>;
  total: number;
}

export function createConcurrencyLimit({
  total,
  perKey,
  onRefused = () => undefined,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  const counts = new Map<string, number>();
  const others = new Map<number, Others>();
  let inProgress = 0;

  const elsewhere = (count: (other: Others) => number): number =>
    [...others.values()].reduce((sum, other) => sum + count(other), 0);

  return {
    inProgress: () => inProgress,
    inUse: () => [...counts],
    setOthers(worker, used) {
      if (used.length === 0) others.delete(worker);
      else others.set(worker, { counts: new Map(used), total: used.reduce((sum, [, count]) => sum + count, 0) });
    },
    acquire(key) {
      const count = counts.get(key) ?? 0;
      const ofKey = count + elsewhere((other) => other.counts.get(key) ?? 0);
      const ofAll = inProgress + elsewhere((other) => other.total);
      const reached = ofKey >= perKey ? 'key' : ofAll >= total ? 'total' : undefined;
      if (reached !== undefined) {
        onRefused();
        return reached;
      }
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
