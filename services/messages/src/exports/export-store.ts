import { randomUUID } from 'node:crypto';
import { randomId } from '@najwa/common';
import { ensureIndexes, isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import type { Connection, mongo } from 'mongoose';

export type ExportLanguage = 'ar' | 'en';

/** Location of a gathered file. Its bytes are noise without the key, which is deleted with the record. */
export interface ExportFile {
  archive: string;
  size: number;
  /** Sealed with the permanent data key. */
  key: string;
}

/** The latest export of an account, and the job that gathers it. */
export interface ExportRecord {
  id: number;
  userId: number;
  language: ExportLanguage;
  status: 'gathering' | 'ready' | 'failed';
  progress: number;
  tries: number;
  /** Parts of the current or latest try. Null before the first. */
  archive: string | null;
  /** A worker may take the job from then on: the end of its pause, or of the lease of the worker that has it. */
  takeAt: Date;
  file: ExportFile | null;
  expiresAt: Date;
}

/** A job that a worker has. Its archive names the try, so that a worker that lost it changes nothing any more. */
export type TakenExport = ExportRecord & { archive: string };

const COLLECTION = 'export_jobs';

/** One export for each account. */
export interface ExportRepository {
  prepare(): Promise<void>;
  /** Replaces the account's earlier export. Null if one is being gathered. */
  create(job: Pick<ExportRecord, 'userId' | 'language' | 'expiresAt'>): Promise<{
    created: ExportRecord;
    replaced: ExportRecord | null;
  } | null>;
  /** Null if it has expired, or is another account's. */
  find(id: number, userId: number): Promise<ExportRecord | null>;
  findOf(userId: number): Promise<ExportRecord | null>;
  /** Takes a job that is due, for a new try. */
  take(now: Date, leasedUntil: Date): Promise<{ taken: TakenExport; abandoned: string | null } | null>;
  /** Leaves a job that is ready as it is. @returns false if the worker has lost the job */
  renew(job: TakenExport, changes: Pick<ExportRecord, 'progress' | 'takeAt'>): Promise<boolean>;
  /** Ends a try without a file. Leaves a job that is ready as it is. @returns false if the worker has lost the job */
  handBack(job: TakenExport, changes: Partial<Pick<ExportRecord, 'status' | 'tries' | 'takeAt'>>): Promise<boolean>;
  complete(job: TakenExport, file: ExportFile): Promise<boolean>;
  /** True if this try completed the job. */
  isComplete(job: TakenExport): Promise<boolean>;
  removeOf(userId: number): Promise<void>;
  forgetOld(now: Date): Promise<void>;
}

export function createExportRepository(connection: Connection): ExportRepository {
  const collection = connection.collection<ExportRecord>(COLLECTION);
  const findOne = (filter: { id?: number; userId: number }): Promise<ExportRecord | null> =>
    collection.findOne({ ...filter, expiresAt: { $gt: new Date() } }, { projection: { _id: 0 } });
  const change = async (
    { id, archive }: TakenExport,
    set: Partial<ExportRecord>,
    only: mongo.Filter<ExportRecord> = {},
  ): Promise<boolean> => {
    const { matchedCount } = await collection.updateOne({ id, archive, ...only }, { $set: set });
    return matchedCount === 1;
  };
  const notReady = { status: { $ne: 'ready' as const } };
  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { id: 1 }, name: 'id', unique: true },
        { key: { userId: 1 }, name: 'user_id', unique: true },
        { key: { takeAt: 1 }, name: 'take_at' },
        { key: { expiresAt: 1 }, name: 'expires_at' },
      ]),
    async create(job) {
      const now = new Date();
      const created: ExportRecord = {
        ...job,
        id: randomId(),
        status: 'gathering',
        progress: 0,
        tries: 0,
        archive: null,
        takeAt: now,
        file: null,
      };
      const { userId } = job;
      await collection.deleteMany({ userId, expiresAt: { $lte: now } });
      try {
        // While one is gathered nothing matches, and the unique index refuses a second.
        const replaced = await retryOnDeadlock(() =>
          collection.findOneAndReplace(
            { userId, status: { $in: ['ready', 'failed'] } },
            { ...created },
            { upsert: true },
          ),
        );
        return { created, replaced };
      } catch (error) {
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },
    find: (id, userId) => findOne({ id, userId }),
    findOf: (userId) => findOne({ userId }),
    async take(now, leasedUntil) {
      const archive = randomUUID();
      const before = await collection.findOneAndUpdate(
        { takeAt: { $lte: now }, status: { $in: ['gathering', 'failed'] }, expiresAt: { $gt: now } },
        { $set: { archive, takeAt: leasedUntil, progress: 0 }, $inc: { tries: 1 } },
        { sort: { takeAt: 1 }, returnDocument: 'before', projection: { _id: 0 } },
      );
      return before && { taken: { ...before, archive, tries: before.tries + 1 }, abandoned: before.archive };
    },
    // One that was under way when the job was completed comes after it.
    renew: (job, changes) => change(job, changes, notReady),
    handBack: (job, changes) => change(job, changes, notReady),
    complete: (job, file) => change(job, { status: 'ready', progress: 100, file }),
    isComplete: async ({ id, archive }) => (await collection.findOne({ id, archive, status: 'ready' })) !== null,
    async removeOf(userId) {
      await collection.deleteMany({ userId });
    },
    async forgetOld(now) {
      await collection.deleteMany({ expiresAt: { $lte: now } });
    },
  };
}
