import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { isDatabaseUnavailable, isDuplicateKey, retryOnDeadlock } from './errors.js';

/** The position of a pass. Null at its beginning and after its end. */
export type MigrationCursor = string | number | null;

export interface MigrationBatch {
  /** Changed documents. */
  changed: number;
  next: MigrationCursor;
}

/**
 * A change of stored data that runs once per database, beside the running service. The service must read the form from
 * before and the new one, because earlier versions of it keep writing during a rollout.
 */
export interface Migration {
  /** Begins with the date, such as `2026-11-22-fold-texts`. Never changes. */
  name: string;
  /** Must be idempotent: after a crash, a batch runs again. */
  runBatch: (connection: Connection, cursor: MigrationCursor) => Promise<MigrationBatch>;
}

export interface DocumentMigration<Document extends mongo.Document> {
  name: string;
  collection: string;
  /** Field with a unique index, a number or a text, by which the documents are read in order. */
  orderedBy: keyof Document & string;
  projection: Partial<Record<keyof Document & string, 1>>;
  /**
   * Returns what to set in a document, or null if it is in the new form; what is undefined is removed. The write applies
   * only if the fields of the projection still have the values that were read.
   */
  change: (document: Document) => Partial<Document> | null | Promise<Partial<Document> | null>;
  batchSize?: number;
}

export interface MigrationRunner {
  start(): void;
  /** Waits for the current batch. The next start continues after it. */
  stop(): Promise<void>;
}

export interface MigrationRunnerOptions {
  connection: Connection;
  /** In order. A migration starts when the ones before it have made their first pass. */
  migrations: readonly Migration[];
  logger: Logger;
  metrics: Pick<Metrics, 'migrationsPending' | 'migratedDocuments'>;
  /** In milliseconds. */
  timing?: Partial<MigrationTiming>;
}

interface MigrationTiming {
  /** Between looks for work. */
  poll: number;
  /** Between batches, so that the service keeps most of the database's time. */
  pause: number;
  /** Lease of a runner. After it, another one takes over. */
  lease: number;
  /** Between a pass and the next. Longer than a rollout, so that the last pass begins after the last earlier replica has gone. */
  settle: number;
}

const TIMING: MigrationTiming = { poll: 15_000, pause: 50, lease: 60_000, settle: 60 * 60_000 };
const BATCH_SIZE = 200;

/** Collection with the progress of a database's migrations. */
export const MIGRATIONS = 'migrations';

interface Progress {
  _id: string;
  /** Completed passes. The migration is done after a later one that changed nothing. */
  passes: number;
  cursor: MigrationCursor;
  /** Documents changed by the current pass, and by all. */
  changedInPass: number;
  changed: number;
  passEndedAt: Date | null;
  doneAt: Date | null;
  /** The replica that runs it. */
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

/** A migration that reads documents in the order of an index, and changes those in an earlier form. */
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
 * Runs a service's migrations in the background. One replica at a time holds the lease of a migration, and keeps its
 * progress in the database, where the next one continues. A migration passes over its documents again until a pass that
 * began an hour after another finds nothing to change: earlier replicas may write their form behind the first pass.
 */
export function createMigrationRunner({
  connection,
  migrations,
  logger,
  metrics,
  timing = {},
}: MigrationRunnerOptions): MigrationRunner {
  const { poll, pause, lease, settle } = { ...TIMING, ...timing };
  const progress = connection.collection<Progress>(MIGRATIONS);
  const runner = randomUUID();
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  /** Takes the lease of a migration that is due. @returns null if it is not, or if another replica runs it */
  const acquire = async (name: string): Promise<Progress | null> => {
    const now = new Date();
    const isDue = { $or: [{ passEndedAt: null }, { passEndedAt: { $lte: new Date(now.getTime() - settle) } }] };
    const isFree = { $or: [{ runner: null }, { runner }, { leasedUntil: { $lte: now } }] };
    const leased = { runner, leasedUntil: new Date(now.getTime() + lease) };
    const state = await progress.findOneAndUpdate(
      { _id: name, doneAt: null, $and: [isDue, isFree] },
      { $set: leased },
      { returnDocument: 'after' },
    );
    if (state !== null || (await progress.findOne({ _id: name }, { projection: { _id: 1 } })) !== null) return state;
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
      await progress.insertOne(first);
      return first;
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  };

  /** Saves the progress. @returns false if another replica has taken the lease over meanwhile */
  const save = async (name: string, changes: Partial<Progress>): Promise<boolean> => {
    const { matchedCount } = await progress.updateOne({ _id: name, runner }, { $set: changes });
    return matchedCount === 1;
  };

  const release = (name: string): Promise<boolean> => save(name, { runner: null, leasedUntil: new Date(0) });

  /** Runs one pass, or the rest of one that another replica began. */
  const runPass = async ({ name, runBatch }: Migration, state: Progress): Promise<void> => {
    let { cursor, changedInPass, changed } = state;
    // A pass that comes after another begins at the first document.
    if (state.passEndedAt !== null) changedInPass = 0;
    for (;;) {
      if (stopping.signal.aborted) {
        await release(name);
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
      const isSaved = await save(name, {
        cursor,
        changedInPass,
        changed,
        passes,
        passEndedAt: isOver ? now : null,
        doneAt: isDone ? now : null,
        ...(isOver ? { runner: null } : { leasedUntil: new Date(now.getTime() + lease) }),
      });
      if (!isSaved) return;
      if (isOver) {
        logger.info({ migration: name, pass: passes, changedInPass, isDone }, 'migration passed');
        return;
      }
      await wait(pause);
    }
  };

  const measure = async (): Promise<void> => {
    const done = await progress.countDocuments({
      _id: { $in: migrations.map(({ name }) => name) },
      doneAt: { $ne: null },
    });
    metrics.migrationsPending.set(migrations.length - done);
  };

  const runDue = async (): Promise<void> => {
    for (const migration of migrations) {
      const state = await acquire(migration.name);
      if (state !== null)
        await runPass(migration, state).catch(async (error: unknown) => {
          await release(migration.name).catch(() => false);
          throw error;
        });
      const { passes = 0 } = (await progress.findOne({ _id: migration.name })) ?? {};
      if (passes === 0 || stopping.signal.aborted) break;
    }
    await measure();
  };

  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await runDue().catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) logger.error({ err: error }, 'migration failed, will retry');
      });
      await wait(poll, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  return {
    start() {
      metrics.migrationsPending.set(migrations.length);
      if (migrations.length > 0) running = work();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
