import { setTimeout as wait } from 'node:timers/promises';
import { Event } from '@najwa/proto/events';
import type { Connection, mongo } from 'mongoose';
import type { EventBus } from './amqp/event-bus.js';
import { AppError, toAppError } from './errors.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { retryOnDeadlock } from './mongo/errors.js';

/** An event that is stored in the document whose change caused it, until the broker has confirmed it. */
export interface OutboxEntry {
  id: string;
  at: Date;
  /** The event as JSON. */
  body: string;
}

/** Fields of a document with an outbox, beside its own. */
export interface WithOutbox {
  outbox?: OutboxEntry[];
  /** When it was deleted. Nobody sees the document any more; it is finalized once its last event is published. */
  deletedAt?: Date | null;
}

/** The entry of an event, for the change that causes it: `$push: { outbox: … }`. */
export function outboxEntry(event: Event): OutboxEntry {
  return { id: event.id, at: event.occurredAt ?? new Date(), body: JSON.stringify(Event.toJSON(event)) };
}

/** The index by which the relay finds documents with something to publish. */
export const outboxIndex: mongo.IndexDescription = { key: { 'outbox.at': 1 }, name: 'outbox_at', sparse: true };

/** The collection, in the service's own database, of entries that cannot be published. */
export const PARKED_ENTRIES = 'outbox_parked';

export interface OutboxRelayOptions {
  connection: Connection;
  /** Collections of that connection whose documents have an outbox. */
  collections: mongo.Collection[];
  bus: EventBus;
  logger: Logger;
  metrics: Metrics;
  /**
   * Further processing of the entries of one or several documents before they are removed. It may get the same entries again
   * and must then change nothing. When it fails, they stay.
   */
  beforeRemoval?: (entries: OutboxEntry[]) => Promise<void>;
  /**
   * Finishes deleted documents whose last event is published, in place of their removal. It must leave them without an outbox.
   * @param documents a filter that finds them
   */
  finalizeDeleted?: (collection: mongo.Collection, documents: mongo.Filter<mongo.Document>) => Promise<unknown>;
  /** How often to look for what an earlier process left, in milliseconds. */
  sweepMs?: number;
}

export interface OutboxRelay {
  start(): void;
  /** A document with an event was written: publish soon. Never throws, and never delays the caller. */
  notify(): void;
  /** Publishes what is pending, as far as the broker takes it, and stops. */
  stop(): Promise<void>;
}

interface PendingDocument {
  _id: mongo.BSON.ObjectId;
  outbox: OutboxEntry[];
  deletedAt?: Date | null;
}

/** An entry that was read, or the reason why it cannot be. */
type ReadEntry = { entry: OutboxEntry; event: Event } | { entry: OutboxEntry; reason: 'unreadable' | 'unknown event' };

const BATCH = 100;
const SWEEP_MS = 2_000;

/** Between two rounds, so that under load one round publishes for many. */
const PAUSE_MS = 50;

const pending: mongo.Filter<mongo.Document> = { 'outbox.at': { $gt: new Date(0) } };

const deleteDocuments: NonNullable<OutboxRelayOptions['finalizeDeleted']> = (collection, documents) =>
  collection.deleteMany(documents);

function readEntry(entry: OutboxEntry): ReadEntry {
  try {
    const event = Event.fromJSON(JSON.parse(entry.body));
    return event.payload === undefined ? { entry, reason: 'unknown event' } : { entry, event };
  } catch {
    return { entry, reason: 'unreadable' };
  }
}

/**
 * Publishes the events that are stored in documents and removes each once the broker has confirmed it. A process that dies in
 * between publishes them again after its restart: at least once, never lost. Several replicas may run side by side.
 * Entries do not wait for each other: one that cannot be read is moved to the collection `outbox_parked`, one that fails is
 * tried again later.
 */
export function createOutboxRelay({
  connection,
  collections,
  bus,
  logger,
  metrics,
  beforeRemoval = () => Promise.resolve(),
  finalizeDeleted = deleteDocuments,
  sweepMs = SWEEP_MS,
}: OutboxRelayOptions): OutboxRelay {
  /** Ids of entries that the broker has confirmed and that are still in their documents. */
  const confirmed = new Set<string>();
  let draining: Promise<void> | undefined;
  let requested = 0;
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

  /** Publishes the readable entries. @returns those that are done with: published or parked */
  const publishOrPark = async (
    collection: mongo.Collection,
    documents: PendingDocument[],
  ): Promise<Set<OutboxEntry>> => {
    const entries = documents.flatMap((document) =>
      document.outbox.map((entry) => ({ document, read: readEntry(entry) })),
    );
    const readable = entries.flatMap(({ read }) => ('event' in read ? read : []));
    const unpublished = readable.filter(({ entry }) => !confirmed.has(entry.id));
    const errors = await bus.publishEach(unpublished.map(({ event }) => event));
    unpublished.forEach(({ entry }, index) => errors[index] === undefined && confirmed.add(entry.id));
    const failure = errors.find((error) => error !== undefined);
    if (failure !== undefined) logger.warn({ err: failure }, 'events not confirmed by the broker');
    const done = new Set(readable.map(({ entry }) => entry).filter(({ id }) => confirmed.has(id)));
    for (const { document, read } of entries) {
      await park(collection, document, read);
      if ('reason' in read) done.add(read.entry);
    }
    return done;
  };

  /** Runs `beforeRemoval` for all, and when that fails for each document alone. @returns the documents for which it failed */
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
    // Nothing changes a document after it was marked as deleted, so these entries are its last.
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

  /** One pass over a collection. Documents with an entry that fails are left for the next pass. */
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
      const [failed, done] = await Promise.all([processEntries(documents), publishOrPark(collection, documents)]);
      const processed = documents.filter((document) => !failed.includes(document));
      await retryOnDeadlock(() => remove(collection, processed, done));
      for (const { id } of processed.flatMap(({ outbox }) => outbox)) confirmed.delete(id);
      const isLeft = (document: PendingDocument): boolean =>
        failed.includes(document) || document.outbox.some((entry) => !done.has(entry));
      left.push(...documents.filter(isLeft).map(({ _id }) => _id));
    }
  };

  /** Repeats while something was asked for during the drain, since that may have been missed. */
  const drainUntilQuiet = async (): Promise<void> => {
    for (let seen = 0; seen !== requested;) {
      if (seen > 0 && !stopped) await wait(PAUSE_MS);
      seen = requested;
      try {
        if (bus.isConnected()) for (const collection of collections) await drainCollection(collection);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'unavailable'))
          logger.warn({ err: error }, 'events wait in the outbox');
      }
    }
  };

  const run = (): Promise<void> => {
    requested += 1;
    return (draining ??= drainUntilQuiet().finally(() => (draining = undefined)));
  };

  const measure = async (): Promise<void> => {
    const counts = await Promise.all(collections.map((collection) => collection.countDocuments(pending)));
    metrics.outboxPending.set(counts.reduce((sum, count) => sum + count, 0));
    metrics.outboxParked.set(await parkedEntries.countDocuments());
  };

  const sweep = async (): Promise<void> => {
    await run();
    // While the database is unavailable the gauges keep their last values.
    await measure().catch(() => undefined);
  };

  return {
    start() {
      timer = setInterval(() => void sweep(), sweepMs);
      void sweep();
    },
    notify() {
      if (!stopped) void run();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await run();
    },
  };
}
