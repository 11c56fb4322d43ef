import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { isDatabaseUnavailable, isDuplicateKey, retryOnDeadlock } from './errors.js';

export type MigrationCursor = string | number | null;

export interface MigrationBatch {
  changed: number;
  next: MigrationCursor;
}

/**
 * Changes stored data once per database, in the background. Services must read the old and the new form, because old
 * replicas write during a rollout.
 */
export interface Migration {
  /** Begins with a date: `2026-11-22-fold-texts`. Never changes. */
  name: string;
  /** Must be idempotent: a batch repeats after a crash. */
  runBatch: (connection: Connection, cursor: MigrationCursor) => Promise<MigrationBatch>;
}

export interface DocumentMigration<Document extends mongo.Document> {
  name: string;
  collection: string;
  orderedBy: keyof Document & string;
  projection: Partial<Record<keyof Document & string, 1>>;
  /**
   * Fields to set, undefined to remove; null if in the new form. Applies only if the projected fields are unchanged.
   */
  change: (document: Document) => Partial<Document> | null | Promise<Partial<Document> | null>;
  batchSize?: number;
}

export interface MigrationRunnerOptions {
  connection: Connection;
  /** Each starts after the first pass of the ones before it. */
  migrations: readonly Migration[];
  logger: Logger;
  metrics: Pick<Metrics, 'migrationsPending' | 'migratedDocuments'>;
  timing?: Partial<MigrationTiming>;
}

interface MigrationTiming {
  poll: number;
  /** Leaves the service most of the database's time. */
  pause: number;
  lease: number;
  /** Between passes. Longer than a rollout, so that the last pass follows the last old replica. */
  settle: number;
}

const TIMING: MigrationTiming = { poll: 15_000, pause: 50, lease: 60_000, settle: 60 * 60_000 };
const BATCH_SIZE = 200;

export const MIGRATIONS = 'migrations';

interface Progress {
  _id: string;
  /** Done after a later pass without changes. */
  passes: number;
  cursor: MigrationCursor;
  changedInPass: number;
  changed: number;
  passEndedAt: Date | null;
  doneAt: Date | null;
  runner: string | null;
  leasedUntil: Date;
}

function updateOf(changes: mongo.Document): mongo.UpdateFilter<mongo.Document> {
  const set: mongo.Document = {};
  const unset: Record<string, 1> = {};
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) unset[field] = 1;
    else set[field] = value as unknown;
  }
  return {
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(Object.keys(unset).length > 0 && { $unset: unset }),
  };
}

export function migrateDocuments<Document extends mongo.Document>({
  name,
  collection,
  orderedBy,
  projection,
  change,
  batchSize = BATCH_SIZE,
}: DocumentMigration<Document>): Migration {
  return {
    name,
    async runBatch(connection, cursor) {
      const documents = connection.collection<mongo.Document>(collection);
      const found = await documents
        .find(cursor === null ? {} : { [orderedBy]: { $gt: cursor } })
        .project<Document & { _id: mongo.BSON.ObjectId }>({ ...projection, [orderedBy]: 1 })
        .sort({ [orderedBy]: 1 })
        .limit(batchSize)
        .toArray();
      let changed = 0;
      for (const document of found) {
        const changes = await change(document);
        if (changes === null) continue;
        const read = Object.keys(projection).map((field): [string, unknown] => [field, document[field] ?? null]);
        const unchanged = { _id: document._id, ...Object.fromEntries(read) };
        const { modifiedCount } = await retryOnDeadlock(() => documents.updateOne(unchanged, updateOf(changes)));
        changed += modifiedCount;
      }
      const last = found.at(-1);
      return { changed, next: last === undefined || found.length < batchSize ? null : last[orderedBy] };
    },
  };
}

/**
 * One replica at a time holds a migration's lease and saves its progress. Passes repeat hourly until one changes
 * nothing, since old replicas may write behind the first.
 */
export class MigrationRunner {
  readonly #options;
  readonly #timing;
  readonly #progress;
  readonly #runner = randomUUID();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor({ timing, ...options }: MigrationRunnerOptions) {
    this.#options = options;
    this.#timing = { ...TIMING, ...timing };
    this.#progress = options.connection.collection<Progress>(MIGRATIONS);
  }

  start(): void {
    const { migrations, metrics } = this.#options;
    metrics.migrationsPending.set(migrations.length);
    if (migrations.length > 0) this.#running = this.#work();
  }
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#runDue().catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) this.#options.logger.error({ err: error }, 'migration failed, will retry');
      });
      await wait(this.#timing.poll, undefined, { signal }).catch(() => undefined);
    }
  }
  async #runDue(): Promise<void> {
    for (const migration of this.#options.migrations) {
      const state = await this.#acquire(migration.name);
      if (state !== null)
        await this.#runPass(migration, state).catch(async (error: unknown) => {
          await this.#release(migration.name).catch(() => false);
          throw error;
        });
      const { passes = 0 } = (await this.#progress.findOne({ _id: migration.name })) ?? {};
      if (passes === 0 || this.#stopping.signal.aborted) break;
    }
    await this.#measure();
  }
  async #runPass({ name, runBatch }: Migration, state: Progress): Promise<void> {
    const { connection, logger, metrics } = this.#options;
    let { cursor, changedInPass, changed } = state;
    if (state.passEndedAt !== null) changedInPass = 0;
    for (;;) {
      if (this.#stopping.signal.aborted) {
        await this.#release(name);
        return;
      }
      const batch = await runBatch(connection, cursor);
      cursor = batch.next;
      changedInPass += batch.changed;
      changed += batch.changed;
      metrics.migratedDocuments.inc({ migration: name }, batch.changed);
      const isOver = cursor === null;
      const now = new Date();
      const passes = state.passes + Number(isOver);
      const isDone = isOver && passes > 1 && changedInPass === 0;
      const isSaved = await this.#save(name, {
        cursor,
        changedInPass,
        changed,
        passes,
        passEndedAt: isOver ? now : null,
        doneAt: isDone ? now : null,
        ...(isOver ? { runner: null } : { leasedUntil: new Date(now.getTime() + this.#timing.lease) }),
      });
      if (!isSaved) return;
      if (isOver) {
        logger.info({ migration: name, pass: passes, changedInPass, isDone }, 'migration passed');
        return;
      }
      await wait(this.#timing.pause);
    }
  }
  /** @returns null if it is not due, or leased by another replica */
  async #acquire(name: string): Promise<Progress | null> {
    const { lease, settle } = this.#timing;
    const runner = this.#runner;
    const now = new Date();
    const isDue = { $or: [{ passEndedAt: null }, { passEndedAt: { $lte: new Date(now.getTime() - settle) } }] };
    const isFree = { $or: [{ runner: null }, { runner }, { leasedUntil: { $lte: now } }] };
    const leased = { runner, leasedUntil: new Date(now.getTime() + lease) };
    const state = await this.#progress.findOneAndUpdate(
      { _id: name, doneAt: null, $and: [isDue, isFree] },
      { $set: leased },
      { returnDocument: 'after' },
    );
    if (state !== null || (await this.#progress.findOne({ _id: name }, { projection: { _id: 1 } })) !== null)
      return state;
    const first: Progress = {
      _id: name,
      passes: 0,
      cursor: null,
      changedInPass: 0,
      changed: 0,
      passEndedAt: null,
      doneAt: null,
      ...leased,
    };
    try {
      await this.#progress.insertOne(first);
      return first;
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }
  /** @returns false if another replica took over the lease */
  async #save(name: string, changes: Partial<Progress>): Promise<boolean> {
    const { matchedCount } = await this.#progress.updateOne({ _id: name, runner: this.#runner }, { $set: changes });
    return matchedCount === 1;
  }
  #release(name: string): Promise<boolean> {
    return this.#save(name, { runner: null, leasedUntil: new Date(0) });
  }
  async #measure(): Promise<void> {
    const { migrations, metrics } = this.#options;
    const done = await this.#progress.countDocuments({
      _id: { $in: migrations.map(({ name }) => name) },
      doneAt: { $ne: null },
    });
    metrics.migrationsPending.set(migrations.length - done);
  }
}
