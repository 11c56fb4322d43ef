import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Event } from '@najwa/proto/events';
import { LRUCache } from 'lru-cache';
import type { Connection, mongo } from 'mongoose';
import type { EventBus } from './event-bus.js';
import { AppError, toAppError } from '../errors/errors.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { IN_BACKGROUND } from '../mongo/database.js';
import { retryOnDeadlock } from '../mongo/errors.js';
import { outsideRequest } from '../logging/request-context.js';

/** Stays in the document it describes until the broker has confirmed it. */
export interface OutboxEntry {
  id: string;
  at: Date;
  /** Event as JSON. Empty if the entry is for the ledger alone. */
  body: string;
}

export interface WithOutbox {
  outbox?: OutboxEntry[];
  /** Soft delete: hidden at once, finalized after the last event is published. */
  deletedAt?: Date | null;
}

export function outboxEntry(event: Event): OutboxEntry {
  return { id: event.id, at: event.occurredAt ?? new Date(), body: JSON.stringify(Event.toJSON(event)) };
}

/** Has no event: the relay notes it in the ledger and publishes nothing. */
export const ledgerEntry = <Note>(ledger: Note): OutboxEntry & { ledger: Note } => ({
  id: randomUUID(),
  at: new Date(),
  body: '',
  ledger,
});

export const outboxIndex: mongo.IndexDescription = { key: { 'outbox.at': 1 }, name: 'outbox_at', sparse: true };

export const PARKED_ENTRIES = 'outbox_parked';

export interface OutboxLedger {
  concerns(entry: OutboxEntry): boolean;
  /** Idempotent. */
  note(entries: readonly OutboxEntry[]): Promise<void>;
}

export interface OutboxRelayOptions {
  connection: Connection;
  collections: mongo.Collection[];
  bus: EventBus;
  logger: Logger;
  metrics: Metrics;
  /** Processes published entries before their removal. Must be idempotent. If it fails, the entries stay. */
  beforeRemoval?: (entries: OutboxEntry[]) => Promise<void>;
  /** Replaces the removal of soft-deleted documents after their last event. Must clear their outboxes. */
  finalizeDeleted?: (collection: mongo.Collection, documents: mongo.Filter<mongo.Document>) => Promise<unknown>;
  /** Delays the removal of an entry, not its publication. */
  ledger?: OutboxLedger;
  sweepMs?: number;
}

export interface OutboxRelay {
  start(): void;
  /**
   * Schedules publishing. Never throws or blocks.
   * @param collection all by default
   */
  notify(collection?: mongo.Collection): void;
  stop(): Promise<void>;
  /** Parked entries contain network addresses, so they expire. */
  forgetParked(before: Date): Promise<void>;
}

interface PendingDocument {
  _id: mongo.BSON.ObjectId;
  outbox: OutboxEntry[];
  deletedAt?: Date | null;
}

type ReadEntry = { entry: OutboxEntry } & ({ event?: Event } | { reason: 'unreadable' | 'unknown event' });

const BATCH = 100;

const MAX_REMEMBERED = 50_000;

const SWEEP_MS = 2_000;

const PAUSE_MS = 50;

const pending: mongo.Filter<mongo.Document> = { 'outbox.at': { $gt: new Date(0) } };

const deleteDocuments: NonNullable<OutboxRelayOptions['finalizeDeleted']> = (collection, documents) =>
  collection.deleteMany(documents);

function readEntry(entry: OutboxEntry): ReadEntry {
  if (entry.body === '') return { entry };
  try {
    const event = Event.fromJSON(JSON.parse(entry.body));
    return event.payload === undefined ? { entry, reason: 'unknown event' } : { entry, event };
  } catch {
    return { entry, reason: 'unreadable' };
  }
}

/**
 * Transactional outbox relay, at least once. Replicas may run concurrently. Unreadable entries move to `outbox_parked`,
 * failed ones are retried.
 */
export function createOutboxRelay({
  connection,
  collections,
  bus,
  logger,
  metrics,
  beforeRemoval = () => Promise.resolve(),
  finalizeDeleted = deleteDocuments,
  ledger,
  sweepMs = SWEEP_MS,
}: OutboxRelayOptions): OutboxRelay {
  const confirmed = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  const noted = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  let noting: Promise<void> | undefined;
  const requested = new Set<mongo.Collection>();
  let draining: Promise<void> | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const parkedEntries = connection.collection(PARKED_ENTRIES);

  const park = async (collection: mongo.Collection, document: PendingDocument, read: ReadEntry): Promise<void> => {
    if (!('reason' in read)) return;
    const { entry, reason } = read;
    const origin = { collection: collection.collectionName, documentId: document._id, entry };
    const { upsertedCount } = await parkedEntries.updateOne(
      origin,
      { $setOnInsert: { reason, parkedAt: new Date() } },
      { upsert: true },
    );
    if (upsertedCount > 0)
      logger.error({ collection: origin.collection, eventId: entry.id, reason }, 'event parked in the outbox');
  };

  /** @returns the finished entries: published or parked */
  const publishOrPark = async (
    collection: mongo.Collection,
    documents: PendingDocument[],
  ): Promise<Set<OutboxEntry>> => {
    const entries = documents.flatMap((document) =>
      document.outbox.map((entry) => ({ document, read: readEntry(entry) })),
    );
    const readable = entries.flatMap(({ read }) => {
      const event = 'event' in read ? read.event : undefined;
      return event ? [{ entry: read.entry, event }] : [];
    });
    const unpublished = readable.filter(({ entry }) => !confirmed.has(entry.id));
    const errors = await bus.publishEach(unpublished.map(({ event }) => event));
    unpublished.forEach(({ entry }, index) => errors[index] === undefined && confirmed.set(entry.id, true));
    const failure = errors.find((error) => error !== undefined);
    if (failure !== undefined) logger.warn({ err: failure }, 'events not confirmed by the broker');
    const done = new Set(readable.map(({ entry }) => entry).filter(({ id }) => confirmed.has(id)));
    for (const { document, read } of entries) {
      await park(collection, document, read);
      if ('reason' in read || read.entry.body === '') done.add(read.entry);
    }
    return done;
  };

  const isUnnoted = (entry: OutboxEntry): boolean => ledger?.concerns(entry) === true && !noted.has(entry.id);

  /** Runs in parallel to the passes: this one or the next removes what was recorded. */
  const noteInBackground = (entries: readonly OutboxEntry[]): void => {
    if (ledger === undefined || entries.length === 0) return;
    const note = async (): Promise<void> => {
      try {
        await ledger.note(entries);
        for (const { id } of entries) noted.set(id, true);
        void run();
      } catch (error) {
        logger.warn({ err: error }, 'deletions not noted in the ledger, will retry');
      }
    };
    noting ??= outsideRequest(note).finally(() => (noting = undefined));
  };

  /** If the batch fails, tries each document. @returns the failed ones */
  const processEntries = async (documents: PendingDocument[]): Promise<PendingDocument[]> => {
    try {
      await beforeRemoval(documents.flatMap(({ outbox }) => outbox));
      return [];
    } catch (error) {
      if (toAppError(error).code === 'unavailable') throw error;
      const results = await Promise.allSettled(documents.map(({ outbox }) => beforeRemoval(outbox)));
      const failed = documents.filter((_, index) => results[index]?.status === 'rejected');
      if (failed.length > 0) logger.error({ err: error, documents: failed.length }, 'outbox entries not processed');
      return failed;
    }
  };

  const remove = async (
    collection: mongo.Collection,
    documents: PendingDocument[],
    done: ReadonlySet<OutboxEntry>,
  ): Promise<void> => {
    const idsOf = (some: PendingDocument[]) => ({ _id: { $in: some.map(({ _id }) => _id) } });
    // Soft-deleted documents never change, so these entries are their last.
    const isFinished = ({ deletedAt, outbox }: PendingDocument): boolean =>
      Boolean(deletedAt) && outbox.every((entry) => done.has(entry));
    const finished = documents.filter(isFinished);
    const kept = documents.filter((document) => !isFinished(document));
    const doneIds = kept.flatMap(({ outbox }) => outbox.filter((entry) => done.has(entry)).map(({ id }) => id));
    await Promise.all([
      finished.length > 0 && finalizeDeleted(collection, idsOf(finished)),
      doneIds.length > 0 &&
        collection.updateMany(idsOf(kept), { $pull: { outbox: { id: { $in: doneIds } } } as never }),
    ]);
  };

  const drainCollection = async (collection: mongo.Collection): Promise<void> => {
    const left: mongo.BSON.ObjectId[] = [];
    for (let found = BATCH; found === BATCH;) {
      const documents = await collection
        .find<PendingDocument>(left.length > 0 ? { ...pending, _id: { $nin: left } } : pending, {
          projection: { outbox: 1, deletedAt: 1 },
          sort: { 'outbox.at': 1 },
          limit: BATCH,
        })
        .toArray();
      found = documents.length;
      if (found === 0) return;
      noteInBackground(documents.flatMap(({ outbox }) => outbox).filter(isUnnoted));
      const [failed, published] = await Promise.all([processEntries(documents), publishOrPark(collection, documents)]);
      const processed = documents.filter((document) => !failed.includes(document));
      const done = new Set([...published].filter((entry) => !isUnnoted(entry)));
      await retryOnDeadlock(() => remove(collection, processed, done));
      for (const entry of processed.flatMap(({ outbox }) => outbox)) {
        if (!done.has(entry)) continue;
        confirmed.delete(entry.id);
        noted.delete(entry.id);
      }
      const isLeft = (document: PendingDocument): boolean =>
        failed.includes(document) || document.outbox.some((entry) => !done.has(entry));
      left.push(...documents.filter(isLeft).map(({ _id }) => _id));
    }
  };

  /** Repeats for requests during a pass, which may have missed them. */
  const drainUntilQuiet = async (): Promise<void> => {
    for (let isFirst = true; requested.size > 0; isFirst = false) {
      if (!isFirst && !stopped) await wait(PAUSE_MS);
      const due = [...requested];
      requested.clear();
      try {
        if (bus.isConnected()) for (const collection of due) await drainCollection(collection);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'unavailable'))
          logger.warn({ err: error }, 'outbox not published, will retry');
      }
    }
  };

  const run = (which = collections): Promise<void> => {
    for (const collection of which) requested.add(collection);
    return (draining ??= outsideRequest(drainUntilQuiet).finally(() => (draining = undefined)));
  };

  const measure = async (): Promise<void> => {
    const [counts, oldest] = await Promise.all([
      Promise.all(collections.map((collection) => collection.countDocuments(pending))),
      Promise.all(
        collections.map((collection) =>
          collection.findOne<PendingDocument>(pending, { projection: { outbox: 1 }, sort: { 'outbox.at': 1 } }),
        ),
      ),
    ]);
    metrics.outboxPending.set(counts.reduce((sum, count) => sum + count, 0));
    const times = oldest.flatMap((document) => document?.outbox.map(({ at }) => at.getTime()) ?? []);
    metrics.outboxOldestAge.set(times.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...times)) / 1000);
    metrics.outboxParked.set(await parkedEntries.countDocuments());
  };

  const sweep = async (): Promise<void> => {
    await run();
    await measure().catch(() => undefined);
  };

  return {
    start() {
      timer = setInterval(() => void sweep(), sweepMs);
      void sweep();
    },
    notify(collection) {
      if (!stopped) void run(collection && [collection]);
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await run();
      await noting;
      await run();
    },
    async forgetParked(before) {
      await parkedEntries.deleteMany({ 'entry.at': { $lt: before } }, IN_BACKGROUND);
    },
  };
}
