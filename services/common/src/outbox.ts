import { setTimeout as wait } from 'node:timers/promises';
import { Event } from '@najwa/proto/events';
import type { mongo } from 'mongoose';
import type { EventBus } from './amqp/event-bus.js';
import { AppError } from './errors.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { retryOnDeadlock } from './mongo/errors.js';

/** An event that rides in the document whose change caused it, until the broker has it. */
export interface OutboxEntry {
  id: string;
  at: Date;
  /** The event as JSON. */
  body: string;
}

/** What a document with an outbox has, beside its own fields. */
export interface WithOutbox {
  outbox?: OutboxEntry[];
  /** The document is gone for everybody, and is removed or buried once its last event is out. */
  deletedAt?: Date | null;
}

/** For the fields that a change of a document writes with `$push: { outbox: … }`. */
export function outboxEntry(event: Event): OutboxEntry {
  return { id: event.id, at: event.occurredAt ?? new Date(), body: JSON.stringify(Event.toJSON(event)) };
}

/** The index by which the relay finds documents with something to publish. */
export const outboxIndex: mongo.IndexDescription = { key: { 'outbox.at': 1 }, name: 'outbox_at', sparse: true };

export interface OutboxRelayOptions {
  collections: mongo.Collection[];
  bus: EventBus;
  logger: Logger;
  metrics: Metrics;
  /**
   * What else the entries are for, done before they are taken out. It may get the same ones again, and must then change nothing.
   * When it fails they stay.
   */
  beforeRemoval?: (entries: OutboxEntry[]) => Promise<void>;
  /**
   * What becomes of deleted documents whose last event is out, in place of their removal. It must leave them without an outbox.
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

const remove: NonNullable<OutboxRelayOptions['finalizeDeleted']> = (collection, documents) =>
  collection.deleteMany(documents);

/** Takes what was published out of the documents, and what is deleted away. */
async function settleDocuments(
  collection: mongo.Collection,
  documents: PendingDocument[],
  finalizeDeleted: NonNullable<OutboxRelayOptions['finalizeDeleted']>,
): Promise<void> {
  const idsOf = (some: PendingDocument[]) => ({ _id: { $in: some.map(({ _id }) => _id) } });
  // Nothing changes a document after it was marked as deleted, so that its last event is among those just published.
  const deleted = documents.filter(({ deletedAt }) => deletedAt);
  const kept = documents.filter(({ deletedAt }) => !deletedAt);
  const published = kept.flatMap(({ outbox }) => outbox.map(({ id }) => id));
  await Promise.all([
    deleted.length > 0 && finalizeDeleted(collection, idsOf(deleted)),
    kept.length > 0 && collection.updateMany(idsOf(kept), { $pull: { outbox: { id: { $in: published } } } as never }),
  ]);
}

const BATCH = 100;
const SWEEP_MS = 2_000;

/** Between two rounds, so that in a crowd one round publishes for many. */
const PAUSE_MS = 50;

/**
 * Publishes the events that stand in documents, with the broker's confirmation, and then takes them out. A process that
 * dies in between publishes them again after its restart: at least once, never lost. Several replicas may run side by side.
 */
export function createOutboxRelay({
  collections,
  bus,
  logger,
  metrics,
  beforeRemoval = () => Promise.resolve(),
  finalizeDeleted = remove,
  sweepMs = SWEEP_MS,
}: OutboxRelayOptions): OutboxRelay {
  let draining: Promise<void> | undefined;
  let requested = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const drainCollection = async (collection: mongo.Collection): Promise<number> => {
    const documents = await collection
      .find<PendingDocument>(
        { 'outbox.at': { $gt: new Date(0) } },
        { projection: { outbox: 1, deletedAt: 1 }, sort: { 'outbox.at': 1 }, limit: BATCH },
      )
      .toArray();
    if (documents.length === 0) return 0;
    const entries = documents.flatMap(({ outbox }) => outbox);
    await Promise.all([
      beforeRemoval(entries),
      bus.publish(entries.map(({ body }) => Event.fromJSON(JSON.parse(body)))),
    ]);
    await retryOnDeadlock(() => settleDocuments(collection, documents, finalizeDeleted));
    return documents.length;
  };

  const drain = async (): Promise<void> => {
    for (const collection of collections) {
      let found: number;
      do {
        found = await drainCollection(collection);
        metrics.outboxPending.set(found);
      } while (found === BATCH);
    }
  };

  /** Until nothing was asked for while it drained: what was written meanwhile may have been missed. */
  const drainUntilQuiet = async (): Promise<void> => {
    for (let seen = 0; seen !== requested;) {
      if (seen > 0 && !stopped) await wait(PAUSE_MS);
      seen = requested;
      try {
        if (bus.isConnected()) await drain();
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

  return {
    start() {
      timer = setInterval(() => void run(), sweepMs);
      void run();
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
