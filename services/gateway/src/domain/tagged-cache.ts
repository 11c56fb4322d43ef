import { setTimeout as wait } from 'node:timers/promises';
import type { CacheCounts } from '@najwa/common/metrics';
import type { Span } from '@najwa/common/tracing';
import { LRUCache } from 'lru-cache';

export interface Cached<Value> {
  value: Value;
  isStale: boolean;
}

export interface RequestRef {
  requestId: string;
  span: Span | undefined;
}

export interface FetchContext<Value> {
  /** Undefined for a background refresh. */
  readonly request: RequestRef | undefined;
  /** May be returned if still valid. */
  readonly known: Value | undefined;
  nameTags: (tags: readonly string[]) => void;
  markStale(): void;
  freshFor(ms: number): void;
}

export interface Source<Value> {
  /** If known in advance. Without tags, any change may concern the value. */
  tags?: readonly string[] | undefined;
  fetch(context: FetchContext<Value>): Promise<Value>;
}

export interface Lifetime {
  freshMs: number;
  /** Stale-while-revalidate after that. */
  renewedMs?: number;
}

export interface TaggedCacheOptions<Value> {
  /** In units of `sizeOf`. Evicts the least recently used. */
  maxSize: number;
  sizeOf?: (value: Value, key: string) => number;
  tagsOf?: (value: Value, key: string) => readonly string[];
  lifetimeOf: (value: Value) => Lifetime;
  /** While false, a value lives a second at most. */
  isSubscribed?: () => boolean;
  /** For which a value is served that cannot be renewed. */
  staleMs?: number;
  /** The value stands for a failed fetch. */
  isFault?: (value: Value) => boolean;
  /** Keeps the stored object if equal. */
  isSame?: (one: Value, other: Value) => boolean;
  now?: (() => number) | undefined;
}

/**
 * Bounded, with single flight. A value dropped by a change is never served again, and a fetch that began before the
 * change is neither stored nor shared with later callers.
 */
export interface TaggedCache<Value> {
  /** Without one, the caller goes on to `load`, which counts the miss. */
  peek(key: string): Cached<Value> | undefined;
  /** Fresh, or from a shared fetch. If that fails, a stale value or its error. */
  load(key: string, source: Source<Value>, request?: RequestRef): Promise<Cached<Value>>;
  drop(tag: string): void;
  invalidateAll(): void;
  /** Sharing a fetch counts as a hit. */
  counts: Readonly<CacheCounts>;
  size(): number;
}

const UNSUBSCRIBED_FRESH_MS = 1_000;
/** Longest wait for a fetch if a trustworthy value exists. */
const PATIENCE_MS = 1_000;
const RETRY_MS = 1_000;

interface Entry<Value> extends Cached<Value> {
  source: Source<Value>;
  order: number;
  confirmedAt: number;
  freshUntil: number;
  usableUntil: number;
  retryAt: number;
  epoch: number;
}

interface Flight<Value> {
  order: number;
  begun: number;
  tags: readonly string[] | undefined;
  epoch: number;
  result: Promise<Cached<Value>>;
}

export function createTaggedCache<Value>({
  maxSize,
  sizeOf = () => 1,
  tagsOf = () => [],
  lifetimeOf,
  isSubscribed = () => true,
  staleMs = 0,
  isFault = () => false,
  isSame = (one, other) => one === other,
  now = () => performance.now(),
}: TaggedCacheOptions<Value>): TaggedCache<Value> {
  const keysByTag = new Map<string, Set<string>>();
  const counts = { hits: 0, misses: 0, ...(staleMs > 0 && { stale: 0 }) };
  const flights = new Map<string, Flight<Value>>();
  const changes = createChangeLog();
  let orders = 0;
  let epoch = 0;

  const entries = new LRUCache<string, Entry<Value>>({
    maxSize,
    sizeCalculation: ({ value }, key) => sizeOf(value, key),
    dispose: ({ value }, key) => {
      for (const tag of tagsOf(value, key)) {
        const keys = keysByTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysByTag.delete(tag);
      }
    },
  });

  /** A change may have been missed. Stale values are exempt: their refetch has just failed. */
  const isInDoubt = ({ epoch: confirmedIn, isStale, confirmedAt }: Entry<Value>, at: number): boolean =>
    confirmedIn !== epoch || (!isStale && at - confirmedAt >= UNSUBSCRIBED_FRESH_MS && !isSubscribed());

  const isFresh = (entry: Entry<Value>, at: number): boolean => at < entry.freshUntil && !isInDoubt(entry, at);

  const mayBeStale = ({ confirmedAt }: Entry<Value>, at: number): boolean => at - confirmedAt < staleMs;

  /** Otherwise unrequested entries stay until the cache is full. */
  const removeExpired = (at: number): void => {
    for (const key of entries.rkeys()) {
      const entry = entries.peek(key);
      if (entry === undefined || at < entry.usableUntil || mayBeStale(entry, at)) return;
      entries.delete(key);
    }
  };

  /** @returns the stored value if equal */
  const store = (
    key: string,
    source: Source<Value>,
    flight: Flight<Value>,
    { value, isStale, freshMs: own }: Cached<Value> & { freshMs: number },
  ): Value => {
    const at = now();
    removeExpired(at);
    const { freshMs, renewedMs = 0 } = lifetimeOf(value);
    const tags = tagsOf(value, key);
    if (freshMs <= 0 || changes.hasChanged(tags, flight.begun)) return value;
    const kept = entries.peek(key);
    if (kept !== undefined && kept.order > flight.order) return value;
    const isNoticed = isSubscribed();
    const freshUntil = at + Math.min(freshMs, own, isNoticed ? Infinity : UNSUBSCRIBED_FRESH_MS);
    const times = {
      order: flight.order,
      isStale,
      confirmedAt: at,
      freshUntil: isStale ? at : freshUntil,
      usableUntil: isStale ? at : freshUntil + (isNoticed ? renewedMs : 0),
      retryAt: at + RETRY_MS,
      epoch,
    };
    if (kept !== undefined && isSame(kept.value, value)) {
      Object.assign(kept, times);
      return kept.value;
    }
    entries.set(key, { value, source, ...times });
    // The LRU rejects a value larger than the cache.
    if (!entries.has(key)) return value;
    for (const tag of tags) {
      const keys = keysByTag.get(tag);
      if (keys) keys.add(key);
      else keysByTag.set(tag, new Set([key]));
    }
    return value;
  };

  const fallBack = (key: string, flight: Flight<Value>): Cached<Value> | undefined => {
    const kept = entries.peek(key);
    const at = now();
    if (kept === undefined || !mayBeStale(kept, at)) return undefined;
    kept.isStale = true;
    // The refetch failed after the invalidation: nothing better exists.
    kept.epoch = flight.epoch;
    kept.freshUntil = at;
    kept.retryAt = at + RETRY_MS;
    return kept;
  };

  const run = async (
    key: string,
    source: Source<Value>,
    flight: Flight<Value>,
    request: RequestRef | undefined,
  ): Promise<Cached<Value>> => {
    const fetched = { isStale: false, freshMs: Infinity };
    try {
      const value = await source.fetch({
        request,
        known: entries.peek(key)?.value,
        nameTags: (tags) => (flight.tags = tags),
        markStale: () => (fetched.isStale = true),
        freshFor: (ms) => (fetched.freshMs = ms),
      });
      if (isFault(value)) return fallBack(key, flight) ?? { value, isStale: false };
      return { value: store(key, source, flight, { value, ...fetched }), isStale: fetched.isStale };
    } catch (error) {
      const kept = fallBack(key, flight);
      if (kept === undefined) throw error;
      return kept;
    } finally {
      if (flights.get(key) === flight) flights.delete(key);
      changes.end();
    }
  };

  const join = (key: string, source: Source<Value>, request?: RequestRef): Promise<Cached<Value>> => {
    const underWay = flights.get(key);
    if (underWay !== undefined) return underWay.result;
    const flight: Flight<Value> = {
      order: ++orders,
      begun: changes.begin(),
      tags: source.tags,
      epoch,
      result: undefined as never,
    };
    flights.set(key, flight);
    return (flight.result = run(key, source, flight, request));
  };

  const renew = (key: string, { source }: Entry<Value>): void => void join(key, source).catch(() => undefined);

  const peekOld = (key: string, entry: Entry<Value>, at: number): Cached<Value> | undefined => {
    if (entry.isStale) {
      if (entry.epoch !== epoch || !mayBeStale(entry, at)) return undefined;
      if (at >= entry.retryAt) renew(key, entry);
      if (counts.stale !== undefined) counts.stale += 1;
      return entry;
    }
    if (isInDoubt(entry, at) || at >= entry.usableUntil) return undefined;
    renew(key, entry);
    return entry;
  };

  return {
    counts,
    size: () => entries.calculatedSize,
    peek(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const at = now();
      const found = isFresh(entry, at) ? entry : peekOld(key, entry, at);
      if (found !== undefined) counts.hits += 1;
      return found;
    },
    async load(key, source, request) {
      const entry = entries.get(key);
      const at = now();
      if (entry && (isFresh(entry, at) || (entry.isStale && entry.epoch === epoch && at < entry.retryAt))) {
        counts.hits += 1;
        return entry;
      }
      if (flights.has(key)) counts.hits += 1;
      else counts.misses += 1;
      const flight = join(key, source, request);
      if (entry === undefined || isInDoubt(entry, at) || !mayBeStale(entry, at)) return flight;
      const patience = new AbortController();
      const impatient = wait(PATIENCE_MS, undefined, { signal: patience.signal, ref: false }).then(
        () => (entries.peek(key) === entry ? entry : flight),
        () => flight,
      );
      try {
        return await Promise.race([flight, impatient]);
      } finally {
        patience.abort();
      }
    },
    drop(tag) {
      changes.add(tag);
      for (const key of [...(keysByTag.get(tag) ?? [])]) entries.delete(key);
      // A fetch under way may be older than the change.
      for (const [key, flight] of flights)
        if (flight.tags === undefined || flight.tags.includes(tag)) flights.delete(key);
    },
    invalidateAll() {
      epoch += 1;
      flights.clear();
      changes.addAll();
    },
  };
}

const MAX_CHANGES = 10_000;

/** Which tags changed since a fetch began. Empty without fetches. */
function createChangeLog() {
  const positions = new Map<string, number>();
  let position = 0;
  let allChangedAt = 0;
  let running = 0;

  const addAll = (): void => {
    position += 1;
    allChangedAt = position;
    positions.clear();
  };

  return {
    /** @returns the position; each call needs its own `end` */
    begin(): number {
      running += 1;
      return position;
    },
    end(): void {
      running -= 1;
      if (running === 0) positions.clear();
    },
    add(tag: string): void {
      position += 1;
      if (running === 0) return;
      positions.set(tag, position);
      if (positions.size > MAX_CHANGES) addAll();
    },
    addAll,
    hasChanged: (tags: readonly string[], since: number): boolean =>
      since < allChangedAt || tags.some((tag) => (positions.get(tag) ?? 0) > since),
  };
}
