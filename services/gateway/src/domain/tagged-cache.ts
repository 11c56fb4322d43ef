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
  now?: () => number;
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

const DEFAULTS = {
  sizeOf: () => 1,
  tagsOf: () => [],
  isSubscribed: () => true,
  staleMs: 0,
  isFault: () => false,
  isSame: (one: unknown, other: unknown) => one === other,
  now: () => performance.now(),
};

/**
 * Bounded, with single flight. A value dropped by a change is never served again, and a fetch that began before the
 * change is neither stored nor shared with later callers.
 */
export class TaggedCache<Value> {
  /** Sharing a fetch counts as a hit. */
  readonly counts: CacheCounts;
  readonly #options: Required<TaggedCacheOptions<Value>>;
  readonly #entries;
  readonly #keysByTag = new Map<string, Set<string>>();
  readonly #flights = new Map<string, Flight<Value>>();
  readonly #changes = new ChangeLog();
  #orders = 0;
  #epoch = 0;

  constructor(options: TaggedCacheOptions<Value>) {
    this.#options = { ...DEFAULTS, ...options };
    const { maxSize, sizeOf, tagsOf, staleMs } = this.#options;
    this.counts = { hits: 0, misses: 0, ...(staleMs > 0 && { stale: 0 }) };
    this.#entries = new LRUCache<string, Entry<Value>>({
      maxSize,
      sizeCalculation: ({ value }, key) => sizeOf(value, key),
      dispose: ({ value }, key) => {
        for (const tag of tagsOf(value, key)) {
          const keys = this.#keysByTag.get(tag);
          keys?.delete(key);
          if (keys?.size === 0) this.#keysByTag.delete(tag);
        }
      },
    });
  }

  size(): number {
    return this.#entries.calculatedSize;
  }
  /** Without one, the caller goes on to `load`, which counts the miss. */
  peek(key: string): Cached<Value> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const at = this.#options.now();
    const found = this.#isFresh(entry, at) ? entry : this.#peekOld(key, entry, at);
    if (found !== undefined) this.counts.hits += 1;
    return found;
  }
  /** Fresh, or from a shared fetch. If that fails, a stale value or its error. */
  async load(key: string, source: Source<Value>, request?: RequestRef): Promise<Cached<Value>> {
    const entry = this.#entries.get(key);
    const at = this.#options.now();
    if (entry && (this.#isFresh(entry, at) || (entry.isStale && entry.epoch === this.#epoch && at < entry.retryAt))) {
      this.counts.hits += 1;
      return entry;
    }
    if (this.#flights.has(key)) this.counts.hits += 1;
    else this.counts.misses += 1;
    const flight = this.#join(key, source, request);
    if (entry === undefined || this.#isInDoubt(entry, at) || !this.#mayBeStale(entry, at)) return flight;
    const patience = new AbortController();
    const impatient = wait(PATIENCE_MS, undefined, { signal: patience.signal, ref: false }).then(
      () => (this.#entries.peek(key) === entry ? entry : flight),
      () => flight,
    );
    try {
      return await Promise.race([flight, impatient]);
    } finally {
      patience.abort();
    }
  }
  drop(tag: string): void {
    this.#changes.add(tag);
    for (const key of [...(this.#keysByTag.get(tag) ?? [])]) this.#entries.delete(key);
    // A fetch under way may be older than the change.
    for (const [key, flight] of this.#flights)
      if (flight.tags === undefined || flight.tags.includes(tag)) this.#flights.delete(key);
  }
  invalidateAll(): void {
    this.#epoch += 1;
    this.#flights.clear();
    this.#changes.addAll();
  }

  #isFresh(entry: Entry<Value>, at: number): boolean {
    return at < entry.freshUntil && !this.#isInDoubt(entry, at);
  }
  /** A change may have been missed. Stale values are exempt: their refetch has just failed. */
  #isInDoubt({ epoch, isStale, confirmedAt }: Entry<Value>, at: number): boolean {
    if (epoch !== this.#epoch) return true;
    return !isStale && at - confirmedAt >= UNSUBSCRIBED_FRESH_MS && !this.#options.isSubscribed();
  }
  #mayBeStale({ confirmedAt }: Entry<Value>, at: number): boolean {
    return at - confirmedAt < this.#options.staleMs;
  }
  #peekOld(key: string, entry: Entry<Value>, at: number): Cached<Value> | undefined {
    if (entry.isStale) {
      if (entry.epoch !== this.#epoch || !this.#mayBeStale(entry, at)) return undefined;
      if (at >= entry.retryAt) this.#renew(key, entry);
      if (this.counts.stale !== undefined) this.counts.stale += 1;
      return entry;
    }
    if (this.#isInDoubt(entry, at) || at >= entry.usableUntil) return undefined;
    this.#renew(key, entry);
    return entry;
  }
  #renew(key: string, { source }: Entry<Value>): void {
    this.#join(key, source).catch(() => undefined);
  }
  #join(key: string, source: Source<Value>, request?: RequestRef): Promise<Cached<Value>> {
    const underWay = this.#flights.get(key);
    if (underWay !== undefined) return underWay.result;
    const flight: Flight<Value> = {
      order: ++this.#orders,
      begun: this.#changes.begin(),
      tags: source.tags,
      epoch: this.#epoch,
      result: undefined as never,
    };
    this.#flights.set(key, flight);
    return (flight.result = this.#run(key, source, flight, request));
  }
  async #run(
    key: string,
    source: Source<Value>,
    flight: Flight<Value>,
    request: RequestRef | undefined,
  ): Promise<Cached<Value>> {
    const fetched = { isStale: false, freshMs: Infinity };
    try {
      const value = await source.fetch({
        request,
        known: this.#entries.peek(key)?.value,
        nameTags: (tags) => (flight.tags = tags),
        markStale: () => (fetched.isStale = true),
        freshFor: (ms) => (fetched.freshMs = ms),
      });
      if (this.#options.isFault(value)) return this.#fallBack(key, flight) ?? { value, isStale: false };
      return { value: this.#store(key, source, flight, { value, ...fetched }), isStale: fetched.isStale };
    } catch (error) {
      const kept = this.#fallBack(key, flight);
      if (kept === undefined) throw error;
      return kept;
    } finally {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
      this.#changes.end();
    }
  }
  #fallBack(key: string, flight: Flight<Value>): Cached<Value> | undefined {
    const kept = this.#entries.peek(key);
    const at = this.#options.now();
    if (kept === undefined || !this.#mayBeStale(kept, at)) return undefined;
    kept.isStale = true;
    // The refetch failed after the invalidation: nothing better exists.
    kept.epoch = flight.epoch;
    kept.freshUntil = at;
    kept.retryAt = at + RETRY_MS;
    return kept;
  }
  /** @returns the stored value if equal */
  #store(
    key: string,
    source: Source<Value>,
    flight: Flight<Value>,
    { value, isStale, freshMs: own }: Cached<Value> & { freshMs: number },
  ): Value {
    const { now, lifetimeOf, tagsOf, isSubscribed, isSame } = this.#options;
    const at = now();
    this.#removeExpired(at);
    const { freshMs, renewedMs = 0 } = lifetimeOf(value);
    const tags = tagsOf(value, key);
    if (freshMs <= 0 || this.#changes.hasChanged(tags, flight.begun)) return value;
    const kept = this.#entries.peek(key);
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
      epoch: this.#epoch,
    };
    if (kept !== undefined && isSame(kept.value, value)) {
      Object.assign(kept, times);
      return kept.value;
    }
    this.#entries.set(key, { value, source, ...times });
    // The LRU rejects a value larger than the cache.
    if (!this.#entries.has(key)) return value;
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag);
      if (keys) keys.add(key);
      else this.#keysByTag.set(tag, new Set([key]));
    }
    return value;
  }
  /** Otherwise unrequested entries stay until the cache is full. */
  #removeExpired(at: number): void {
    for (const key of this.#entries.rkeys()) {
      const entry = this.#entries.peek(key);
      if (entry === undefined || at < entry.usableUntil || this.#mayBeStale(entry, at)) return;
      this.#entries.delete(key);
    }
  }
}

const MAX_CHANGES = 10_000;

/** Which tags changed since a fetch began. Empty without fetches. */
class ChangeLog {
  readonly #positions = new Map<string, number>();
  #position = 0;
  #allChangedAt = 0;
  #running = 0;

  /** @returns the position; each call needs its own `end` */
  begin(): number {
    this.#running += 1;
    return this.#position;
  }
  end(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#positions.clear();
  }
  add(tag: string): void {
    this.#position += 1;
    if (this.#running === 0) return;
    this.#positions.set(tag, this.#position);
    if (this.#positions.size > MAX_CHANGES) this.addAll();
  }
  addAll(): void {
    this.#position += 1;
    this.#allChangedAt = this.#position;
    this.#positions.clear();
  }
  hasChanged(tags: readonly string[], since: number): boolean {
    return since < this.#allChangedAt || tags.some((tag) => (this.#positions.get(tag) ?? 0) > since);
  }
}
