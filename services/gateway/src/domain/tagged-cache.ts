import { setTimeout as wait } from 'node:timers/promises';
import type { CacheCounts } from '@najwa/common/metrics';
import type { Span } from '@najwa/common/tracing';
import { LRUCache } from 'lru-cache';

/** A value as it may be given now. */
export interface Cached<Value> {
  value: Value;
  /** It is older than its lifetime, since it could not be renewed. */
  isStale: boolean;
}

/** The request that needs a value which is not cached. */
export interface RequestRef {
  requestId: string;
  span: Span | undefined;
}

/** Facts for a fetch, and calls by which it tells more of its value. */
export interface FetchContext<Value> {
  /** Undefined if the value is renewed in the background. */
  readonly request: RequestRef | undefined;
  /** The cached value. The fetch may return it, if it is still right. */
  readonly known: Value | undefined;
  /** Names the tags of the value before it is complete. */
  nameTags: (tags: readonly string[]) => void;
  /** The value has parts that could not be renewed. */
  markStale(): void;
  /** Has the value renewed sooner than others. */
  freshFor(ms: number): void;
}

/** Fetches a value. Kept with it, to renew it. */
export interface Source<Value> {
  /** Tags of the value that are known before it is fetched. Without any, every change may concern it. */
  tags?: readonly string[] | undefined;
  fetch(context: FetchContext<Value>): Promise<Value>;
}

export interface Lifetime {
  /** 0 keeps a value from being stored. */
  freshMs: number;
  /** After that, it is given for so long while it is renewed in the background. */
  renewedMs?: number;
}

export interface TaggedCacheOptions<Value> {
  /** Bound of the whole cache, in the unit of `sizeOf`. The least recently used entries go first. */
  maxSize: number;
  sizeOf?: (value: Value, key: string) => number;
  /** Tags by which the entry is dropped. */
  tagsOf?: (value: Value, key: string) => readonly string[];
  lifetimeOf: (value: Value) => Lifetime;
  /** False while changes could go unnoticed. A value then lives a second at most, also one from before. */
  isSubscribed?: () => boolean;
  /** Longest time for which a value is given while it cannot be renewed. */
  staleMs?: number;
  /** True for a value that stands for a failed fetch. */
  isFault?: (value: Value) => boolean;
  /** True for values that are the same to everybody. The one that is stored stays the same object then. */
  isSame?: (one: Value, other: Value) => boolean;
  now?: (() => number) | undefined;
}

/**
 * A bounded cache of values that others may change at any time, with single flight for fetches. What a change drops is never given
 * again, and no fetch that began before the change is stored or shared with later callers.
 */
export interface TaggedCache<Value> {
  /** A value that may be given at once. A caller that gets none goes on to `load`, which counts the miss. */
  peek(key: string): Cached<Value> | undefined;
  /** A value that is fresh, or the result of one fetch that concurrent callers share. If it fails, a stale value, or its error. */
  load(key: string, source: Source<Value>, request?: RequestRef): Promise<Cached<Value>>;
  /** Drops the entries with a tag. */
  drop(tag: string): void;
  /** Changes may have been missed: every value has to be renewed before it is given. */
  invalidateAll(): void;
  /** Sharing a fetch under way counts as a hit. */
  counts: Readonly<CacheCounts>;
  /** In the unit of `sizeOf`. */
  size(): number;
}

const UNSUBSCRIBED_FRESH_MS = 1_000;
/** Longest wait for a slow fetch while there is a value that no missed change can have made wrong. */
const PATIENCE_MS = 1_000;
/** Pause before a value is asked for again whose fetch failed. */
const RETRY_MS = 1_000;

interface Entry<Value> extends Cached<Value> {
  source: Source<Value>;
  /** Order of the fetch that it came from. */
  order: number;
  confirmedAt: number;
  freshUntil: number;
  /** Until when it is given while it is renewed. */
  usableUntil: number;
  retryAt: number;
  /** Number of invalidations before it was confirmed. */
  epoch: number;
}

interface Flight<Value> {
  order: number;
  /** Its position in the log of changes. */
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
  /** Has the fetches that are no longer shared, too. */
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

  /** A change may have been missed since the value was confirmed. A stale value is excused: its refetch failed just now. */
  const isInDoubt = ({ epoch: confirmedIn, isStale, confirmedAt }: Entry<Value>, at: number): boolean =>
    confirmedIn !== epoch || (!isStale && at - confirmedAt >= UNSUBSCRIBED_FRESH_MS && !isSubscribed());

  const isFresh = (entry: Entry<Value>, at: number): boolean => at < entry.freshUntil && !isInDoubt(entry, at);

  const mayBeStale = ({ confirmedAt }: Entry<Value>, at: number): boolean => at - confirmedAt < staleMs;

  /** Entries that can never be given again would stay until the bound is reached if nobody asks for them. */
  const removeExpired = (at: number): void => {
    for (const key of entries.rkeys()) {
      const entry = entries.peek(key);
      if (entry === undefined || at < entry.usableUntil || mayBeStale(entry, at)) return;
      entries.delete(key);
    }
  };

  /** @returns the value to give: the one that is stored already, if it is the same */
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
    // The LRU does not keep a value that is larger than the whole cache.
    if (!entries.has(key)) return value;
    for (const tag of tags) {
      const keys = keysByTag.get(tag);
      if (keys) keys.add(key);
      else keysByTag.set(tag, new Set([key]));
    }
    return value;
  };

  /** The stored value in place of one that could not be fetched. */
  const fallBack = (key: string, flight: Flight<Value>): Cached<Value> | undefined => {
    const kept = entries.peek(key);
    const at = now();
    if (kept === undefined || !mayBeStale(kept, at)) return undefined;
    kept.isStale = true;
    // A refetch failed since the last invalidation: this is the best value that there is.
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
      // The fetch under way may be older than the change: later callers get a new one.
      for (const [key, flight] of flights)
        if (flight.tags === undefined || flight.tags.includes(tag)) flights.delete(key);
    },
    invalidateAll() {
      epoch += 1;
      // Their values may be older than a change that was missed.
      flights.clear();
      changes.addAll();
    },
  };
}

/** Changes that are remembered one by one. */
const MAX_CHANGES = 10_000;

/** Tells whether a tag has changed since a fetch began. The log is empty while no fetch is under way. */
function createChangeLog() {
  /** Position of the last change of each tag. */
  const positions = new Map<string, number>();
  let position = 0;
  /** Changes up to this position count as changes of every tag. */
  let allChangedAt = 0;
  let running = 0;

  const addAll = (): void => {
    position += 1;
    allChangedAt = position;
    positions.clear();
  };

  return {
    /** A fetch begins. @returns its position in the log; each call needs its own `end` */
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
    /** Any tag may have changed. */
    addAll,
    hasChanged: (tags: readonly string[], since: number): boolean =>
      since < allChangedAt || tags.some((tag) => (positions.get(tag) ?? 0) > since),
  };
}
