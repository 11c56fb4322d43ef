import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Event } from '@najwa/proto/events';
import { LRUCache } from 'lru-cache';
import type { Connection, mongo } from 'mongoose';
import type { EventBus } from './event-bus.js';
import { AppError, toAppError } from '../errors/errors.js';
import type { Metrics } from '../metrics/metrics.js';
import { IN_BACKGROUND } from '../mongo/database.js';
import { retryOnDeadlock } from '../mongo/errors.js';
import { outsideRequest, type Logger } from '../logging/logger.js';

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
export class OutboxRelay {
  readonly #options;
  readonly #parkedEntries;
  readonly #confirmed = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  readonly #noted = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  readonly #requested = new Set<mongo.Collection>();
  #noting: Promise<void> | undefined;
  #draining: Promise<void> | undefined;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutboxRelayOptions) {
    this.#options = {
      beforeRemoval: () => Promise.resolve(),
      finalizeDeleted: deleteDocuments,
      sweepMs: SWEEP_MS,
      ...options,
    };
    this.#parkedEntries = options.connection.collection(PARKED_ENTRIES);
  }

  start(): void {
    this.#timer = setInterval(() => void this.#sweep(), this.#options.sweepMs);
    void this.#sweep();
  }
  /**
   * Schedules publishing. Never throws or blocks.
   * @param collection all by default
   */
  notify(collection?: mongo.Collection): void {
    if (!this.#isStopped) void this.#run(collection && [collection]);
  }
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#run();
    await this.#noting;
    await this.#run();
  }
  /** Parked entries contain network addresses, so they expire. */
  async forgetParked(before: Date): Promise<void> {
    await this.#parkedEntries.deleteMany({ 'entry.at': { $lt: before } }, IN_BACKGROUND);
  }

  async #sweep(): Promise<void> {
    await this.#run();
    await this.#measure().catch(() => undefined);
  }
  async #measure(): Promise<void> {
    const { collections, metrics } = this.#options;
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
    metrics.outboxParked.set(await this.#parkedEntries.countDocuments());
  }
  #run(which = this.#options.collections): Promise<void> {
    for (const collection of which) this.#requested.add(collection);
    return (this.#draining ??= outsideRequest(() => this.#drainUntilQuiet()).finally(
      () => (this.#draining = undefined),
    ));
  }
  /** Repeats for requests during a pass, which may have missed them. */
  async #drainUntilQuiet(): Promise<void> {
    const { bus, logger } = this.#options;
    for (let isFirst = true; this.#requested.size > 0; isFirst = false) {
      if (!isFirst && !this.#isStopped) await wait(PAUSE_MS);
      const due = [...this.#requested];
      this.#requested.clear();
      try {
        if (bus.isConnected()) for (const collection of due) await this.#drainCollection(collection);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'unavailable'))
          logger.warn({ err: error }, 'outbox not published, will retry');
      }
    }
  }
  async #drainCollection(collection: mongo.Collection): Promise<void> {
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
      this.#noteInBackground(documents.flatMap(({ outbox }) => outbox).filter((entry) => this.#isUnnoted(entry)));
      const [failed, published] = await Promise.all([
        this.#processEntries(documents),
        this.#publishOrPark(collection, documents),
      ]);
      const processed = documents.filter((document) => !failed.includes(document));
      const done = new Set([...published].filter((entry) => !this.#isUnnoted(entry)));
      await retryOnDeadlock(() => this.#remove(collection, processed, done));
      for (const entry of processed.flatMap(({ outbox }) => outbox)) {
        if (!done.has(entry)) continue;
        this.#confirmed.delete(entry.id);
        this.#noted.delete(entry.id);
      }
      const isLeft = (document: PendingDocument): boolean =>
        failed.includes(document) || document.outbox.some((entry) => !done.has(entry));
      left.push(...documents.filter(isLeft).map(({ _id }) => _id));
    }
  }
  #isUnnoted(entry: OutboxEntry): boolean {
    return this.#options.ledger?.concerns(entry) === true && !this.#noted.has(entry.id);
  }
  /** Runs in parallel to the passes: this one or the next removes what was recorded. */
  #noteInBackground(entries: readonly OutboxEntry[]): void {
    const { ledger, logger } = this.#options;
    if (ledger === undefined || entries.length === 0) return;
    const note = async (): Promise<void> => {
      try {
        await ledger.note(entries);
        for (const { id } of entries) this.#noted.set(id, true);
        void this.#run();
      } catch (error) {
        logger.warn({ err: error }, 'deletions not noted in the ledger, will retry');
      }
    };
    this.#noting ??= outsideRequest(note).finally(() => (this.#noting = undefined));
  }
  /** @returns the failed ones, each tried alone after the batch */
  async #processEntries(documents: PendingDocument[]): Promise<PendingDocument[]> {
    const { beforeRemoval, logger } = this.#options;
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
  }
  /** @returns the finished entries: published or parked */
  async #publishOrPark(collection: mongo.Collection, documents: PendingDocument[]): Promise<Set<OutboxEntry>> {
    const { bus, logger } = this.#options;
    const entries = documents.flatMap((document) =>
      document.outbox.map((entry) => ({ document, read: readEntry(entry) })),
    );
    const readable = entries.flatMap(({ read }) => {
      const event = 'event' in read ? read.event : undefined;
      return event ? [{ entry: read.entry, event }] : [];
    });
    const unpublished = readable.filter(({ entry }) => !this.#confirmed.has(entry.id));
    const errors = await bus.publishEach(unpublished.map(({ event }) => event));
    unpublished.forEach(({ entry }, index) => errors[index] === undefined && this.#confirmed.set(entry.id, true));
    const failure = errors.find((error) => error !== undefined);
    if (failure !== undefined) logger.warn({ err: failure }, 'events not confirmed by the broker');
    const done = new Set(readable.map(({ entry }) => entry).filter(({ id }) => this.#confirmed.has(id)));
    for (const { document, read } of entries) {
      await this.#park(collection, document, read);
      if ('reason' in read || read.entry.body === '') done.add(read.entry);
    }
    return done;
  }
  async #park(collection: mongo.Collection, document: PendingDocument, read: ReadEntry): Promise<void> {
    if (!('reason' in read)) return;
    const { entry, reason } = read;
    const origin = { collection: collection.collectionName, documentId: document._id, entry };
    const { upsertedCount } = await this.#parkedEntries.updateOne(
      origin,
      { $setOnInsert: { reason, parkedAt: new Date() } },
      { upsert: true },
    );
    if (upsertedCount > 0)
      this.#options.logger.error(
        { collection: origin.collection, eventId: entry.id, reason },
        'event parked in the outbox',
      );
  }
  async #remove(
    collection: mongo.Collection,
    documents: PendingDocument[],
    done: ReadonlySet<OutboxEntry>,
  ): Promise<void> {
    const idsOf = (some: PendingDocument[]) => ({ _id: { $in: some.map(({ _id }) => _id) } });
    // Soft-deleted documents never change, so these entries are their last.
    const isFinished = ({ deletedAt, outbox }: PendingDocument): boolean =>
      Boolean(deletedAt) && outbox.every((entry) => done.has(entry));
    const finished = documents.filter(isFinished);
    const kept = documents.filter((document) => !isFinished(document));
    const doneIds = kept.flatMap(({ outbox }) => outbox.filter((entry) => done.has(entry)).map(({ id }) => id));
    await Promise.all([
      finished.length > 0 && this.#options.finalizeDeleted(collection, idsOf(finished)),
      doneIds.length > 0 &&
        collection.updateMany(idsOf(kept), { $pull: { outbox: { id: { $in: doneIds } } } as never }),
    ]);
  }
}
