import { setTimeout as wait } from 'node:timers/promises';
import type { CacheCounts, Span } from '@najwa/common';
import { LRUCache } from 'lru-cache';
import { createChangeLog } from './change-log.js';
import { isSameAnswer, messagesTag, profileTag, sizeOf, UNKNOWN_PROFILE, type PublicAnswer } from '../public/answer.js';

/** An answer as it may be given now. */
export interface Found {
  answer: PublicAnswer;
  /** A service that is away could not renew it. */
  isStale: boolean;
}

/** The request that needs an answer which is not remembered. */
export interface Cause {
  requestId: string;
  span: Span | undefined;
}

/** One fetch of an answer. */
export interface Fill {
  /** Undefined if the answer is renewed in the background. */
  readonly cause: Cause | undefined;
  /** The remembered answer. The fetch may return it, if it is still right. */
  readonly known: PublicAnswer | undefined;
  /** Names the tags of the answer before it is complete. */
  concern(tags: readonly string[]): void;
  /** The answer has parts that could not be renewed. */
  markStale(): void;
  /** Has the answer renewed sooner than others. */
  freshFor(ms: number): void;
}

/** Fetches an answer. Kept with it, to renew it. */
export interface Source {
  /** Tags of the answer that are known before it is fetched. Without any, every change may concern it. */
  tags?: readonly string[] | undefined;
  fetch(fill: Fill): Promise<PublicAnswer>;
}

/**
 * Remembers public answers until something in them changes: bounded by bytes, one fetch for all who wait, and renewed in
 * the background. What a change drops is never given again. What is only old is given while its service is away.
 */
export interface PublicMemory {
  /** An answer that may be given at once. A caller that gets none goes on to `load`, which counts the miss. */
  peek(key: string): Found | undefined;
  /**
   * An answer that is fresh, or was just fetched. Concurrent callers share the fetch. If it fails, the remembered answer
   * is given, however old.
   */
  load(key: string, source: Source, cause: Cause | undefined): Promise<Found>;
  profileCreated(): void;
  profileChanged(userId: number): void;
  messagesChanged(userId: number): void;
  /** Changes may have been missed: every answer has to be renewed before it is given. */
  doubt(): void;
  counts: Readonly<CacheCounts>;
  /** Bytes in use. */
  size(): number;
}

export interface PublicMemoryOptions {
  /** True if events arrive, so that a change would be noticed. */
  isSubscribed: () => boolean;
  maxBytes: number;
  now?: () => number;
}

const FRESH_MS = 5_000;
/** After that long, an answer is given once more and renewed in the background. */
const RENEWED_MS = 5_000;
const FRESH_WITHOUT_EVENTS_MS = 1_000;
/** For an account that does not exist: no event can name it. */
const MISSING_FRESH_MS = 1_000;
/** Longest wait for a slow service, if there is an answer that is not in doubt. */
const PATIENCE_MS = 1_000;
/** Pause before a service that was away is asked again for the same answer. */
const RETRY_MS = 1_000;
/** Longest time for which an answer is given without having been confirmed. */
const MAX_STALE_MS = 60 * 60 * 1000;

interface Entry extends Found {
  source: Source;
  /** Order of the fetch that it came from. */
  order: number;
  confirmedAt: number;
  freshUntil: number;
  /** Until when it is given while it is renewed. */
  usableUntil: number;
  retryAt: number;
  era: number;
}

interface Flight {
  order: number;
  /** Its position in the log of changes. */
  begun: number;
  tags: readonly string[] | undefined;
  era: number;
  result: Promise<Found>;
}

const isFault = ({ status }: PublicAnswer): boolean => status >= 500 || status === 429;

export function createPublicMemory({
  isSubscribed,
  maxBytes,
  now = () => performance.now(),
}: PublicMemoryOptions): PublicMemory {
  const keysByTag = new Map<string, Set<string>>();
  const counts = { hits: 0, misses: 0, stale: 0 };
  const flights = new Map<string, Flight>();
  /** Has the fetches that are no longer shared, too. */
  const changes = createChangeLog();
  let orders = 0;
  let era = 0;

  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ answer }, key) => sizeOf(answer) + key.length,
    dispose: ({ answer }, key) => {
      for (const tag of answer.tags) {
        const keys = keysByTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysByTag.delete(tag);
      }
    },
  });

  const lifetimeOf = ({ status }: PublicAnswer): { fresh: number; renewed: number } => {
    if (status === 404) return { fresh: MISSING_FRESH_MS, renewed: 0 };
    return isSubscribed() ? { fresh: FRESH_MS, renewed: RENEWED_MS } : { fresh: FRESH_WITHOUT_EVENTS_MS, renewed: 0 };
  };

  /** A change may have been missed since the answer was confirmed. A stale one was asked for again in vain. */
  const isInDoubt = ({ era: confirmedIn, isStale, confirmedAt }: Entry, at: number): boolean =>
    confirmedIn !== era || (!isStale && at - confirmedAt >= FRESH_WITHOUT_EVENTS_MS && !isSubscribed());

  const isFresh = (entry: Entry, at: number): boolean => at < entry.freshUntil && !isInDoubt(entry, at);

  /** @returns the answer to give: the one that is remembered already, if it is the same */
  const store = (
    key: string,
    source: Source,
    flight: Flight,
    { answer, isStale, freshMs }: Found & { freshMs: number },
  ): PublicAnswer => {
    if ((answer.status !== 200 && answer.status !== 404) || changes.hasChanged(answer.tags, flight.begun))
      return answer;
    const kept = entries.peek(key);
    if (kept !== undefined && kept.order > flight.order) return answer;
    const at = now();
    const { fresh: usual, renewed } = lifetimeOf(answer);
    const fresh = Math.min(usual, freshMs);
    const times = {
      order: flight.order,
      isStale,
      confirmedAt: at,
      freshUntil: isStale ? at : at + fresh,
      usableUntil: isStale ? at : at + fresh + renewed,
      retryAt: at + RETRY_MS,
      era,
    };
    if (kept !== undefined && isSameAnswer(kept.answer, answer)) {
      Object.assign(kept, times);
      return kept.answer;
    }
    entries.set(key, { answer, source, ...times });
    // The LRU does not keep a value that is larger than the whole memory.
    if (!entries.has(key)) return answer;
    for (const tag of answer.tags) {
      const keys = keysByTag.get(tag);
      if (keys) keys.add(key);
      else keysByTag.set(tag, new Set([key]));
    }
    return answer;
  };

  /** The remembered answer in place of one that could not be fetched. */
  const fallBack = (key: string, flight: Flight): Found | undefined => {
    const kept = entries.peek(key);
    const at = now();
    if (kept === undefined || at - kept.confirmedAt > MAX_STALE_MS) return undefined;
    kept.isStale = true;
    // A refetch failed since the last invalidation: this is the best answer that there is.
    kept.era = flight.era;
    kept.freshUntil = at;
    kept.retryAt = at + RETRY_MS;
    return kept;
  };

  const run = async (key: string, source: Source, flight: Flight, cause: Cause | undefined): Promise<Found> => {
    const found = { isStale: false, freshMs: Infinity };
    try {
      const answer = await source.fetch({
        cause,
        known: entries.peek(key)?.answer,
        concern: (tags) => (flight.tags = tags),
        markStale: () => (found.isStale = true),
        freshFor: (ms) => (found.freshMs = ms),
      });
      if (isFault(answer)) return fallBack(key, flight) ?? { answer, isStale: false };
      return { answer: store(key, source, flight, { answer, ...found }), isStale: found.isStale };
    } catch (error) {
      const kept = fallBack(key, flight);
      if (kept === undefined) throw error;
      return kept;
    } finally {
      if (flights.get(key) === flight) flights.delete(key);
      changes.end();
    }
  };

  const join = (key: string, source: Source, cause?: Cause): Promise<Found> => {
    const underWay = flights.get(key);
    if (underWay !== undefined) return underWay.result;
    const flight: Flight = {
      order: ++orders,
      begun: changes.begin(),
      tags: source.tags,
      era,
      result: undefined as never,
    };
    flights.set(key, flight);
    return (flight.result = run(key, source, flight, cause));
  };

  const renew = (key: string, { source }: Entry): void => void join(key, source).catch(() => undefined);

  const peekOld = (key: string, entry: Entry, at: number): Found | undefined => {
    if (entry.isStale) {
      if (entry.era !== era || at - entry.confirmedAt > MAX_STALE_MS) return undefined;
      if (at >= entry.retryAt) renew(key, entry);
      counts.stale += 1;
      return entry;
    }
    if (isInDoubt(entry, at) || at >= entry.usableUntil) return undefined;
    renew(key, entry);
    return entry;
  };

  const drop = (tag: string): void => {
    changes.add(tag);
    for (const key of [...(keysByTag.get(tag) ?? [])]) entries.delete(key);
    // The fetch under way may be older than the change: later callers get a new one.
    for (const [key, flight] of flights)
      if (flight.tags === undefined || flight.tags.includes(tag)) flights.delete(key);
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
    async load(key, source, cause) {
      const entry = entries.get(key);
      const at = now();
      if (entry && (isFresh(entry, at) || (entry.isStale && entry.era === era && at < entry.retryAt))) {
        counts.hits += 1;
        return entry;
      }
      if (flights.has(key)) counts.hits += 1;
      else counts.misses += 1;
      const flight = join(key, source, cause);
      if (entry === undefined || isInDoubt(entry, at)) return flight;
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
    profileCreated: () => drop(UNKNOWN_PROFILE),
    profileChanged(userId) {
      drop(profileTag(userId));
      drop(UNKNOWN_PROFILE);
    },
    messagesChanged: (userId) => drop(messagesTag(userId)),
    doubt() {
      era += 1;
      // Their answers may be older than a change that was missed.
      flights.clear();
      changes.addAll();
    },
  };
}
