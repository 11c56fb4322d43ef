import type { CacheCounts } from '@najwa/common';
import { LRUCache } from 'lru-cache';

export interface FreshCacheOptions<Value> {
  /** Bound of the whole cache, in the unit of `sizeOf`. The least recently used entries go first. */
  maxSize: number;
  sizeOf?: (value: Value) => number;
  /** Lifetime of a value, computed when it is stored. 0 keeps it from being stored. */
  lifetimeMs: (value: Value) => number;
  /** Tags by which an entry is dropped. While it is being fetched, its value is undefined. */
  tagsOf: (key: string, value: Value | undefined) => readonly string[];
  now?: () => number;
}

/** A bounded cache of values that others may change at any time, with single flight for loads. */
export interface FreshCache<Value> {
  /** The stored value, if it has not expired. A caller that gets none goes on to `load`, which counts the miss. */
  peek(key: string): Value | undefined;
  /** The stored value, or the result of one `fetch` that concurrent callers share. Failures are not stored. */
  load(key: string, fetch: () => Promise<Value>): Promise<Value>;
  /**
   * Drops the entries with a tag. A fetch under way may be older than the change, so its result is not stored or shared
   * further.
   */
  drop(tag: string): void;
  clear(): void;
  /** Sharing a fetch under way counts as a hit. */
  counts: Readonly<CacheCounts>;
}

interface Entry<Value> {
  value: Value;
  expiresAt: number;
  tags: readonly string[];
}

export function createFreshCache<Value>({
  maxSize,
  sizeOf = () => 1,
  lifetimeMs,
  tagsOf,
  now = () => performance.now(),
}: FreshCacheOptions<Value>): FreshCache<Value> {
  const keysByTag = new Map<string, Set<string>>();
  const counts: CacheCounts = { hits: 0, misses: 0 };
  const flights = new Map<string, Promise<Value>>();

  const unlink = ({ tags }: Entry<Value>, key: string): void => {
    for (const tag of tags) {
      const keys = keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysByTag.delete(tag);
    }
  };
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize,
    sizeCalculation: ({ value }) => sizeOf(value),
    dispose: unlink,
  });

  /** Expired entries would stay until the bound is reached if nobody asks for them again. */
  const dropExpired = (): void => {
    for (const key of entries.rkeys()) {
      if ((entries.peek(key)?.expiresAt ?? 0) > now()) return;
      entries.delete(key);
    }
  };

  const store = (key: string, value: Value): void => {
    dropExpired();
    const lifetime = lifetimeMs(value);
    if (lifetime <= 0) return;
    const entry = { value, expiresAt: now() + lifetime, tags: tagsOf(key, value) };
    entries.set(key, entry);
    // The LRU does not keep a value that is larger than the whole cache.
    if (!entries.has(key)) return;
    for (const tag of entry.tags) {
      const keys = keysByTag.get(tag);
      if (keys) keys.add(key);
      else keysByTag.set(tag, new Set([key]));
    }
  };

  const find = (key: string): Value | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > now()) return entry.value;
    entries.delete(key);
    return undefined;
  };

  return {
    counts,
    peek(key) {
      const stored = find(key);
      if (stored !== undefined) counts.hits += 1;
      return stored;
    },
    async load(key, fetch) {
      const stored = find(key) ?? flights.get(key);
      if (stored !== undefined) {
        counts.hits += 1;
        return stored;
      }
      counts.misses += 1;

      const flight = fetch();
      flights.set(key, flight);
      try {
        const value = await flight;
        if (flights.get(key) === flight) store(key, value);
        return value;
      } finally {
        if (flights.get(key) === flight) flights.delete(key);
      }
    },
    drop(tag) {
      for (const key of [...(keysByTag.get(tag) ?? [])]) entries.delete(key);
      for (const key of flights.keys()) if (tagsOf(key, undefined).includes(tag)) flights.delete(key);
    },
    clear() {
      entries.clear();
      flights.clear();
    },
  };
}
