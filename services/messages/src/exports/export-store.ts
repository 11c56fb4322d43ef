import { randomUUID } from 'node:crypto';
import { randomId } from '@najwa/common';
import { ensureIndexes, isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import type { Connection, mongo } from 'mongoose';

export type ExportLanguage = 'ar' | 'en';

/** The key is deleted with the record, which makes the bytes noise. */
export interface ExportFile {
  archive: string;
  size: number;
  /** Sealed with the permanent data key. */
  key: string;
}

export interface ExportRecord {
  id: number;
  userId: number;
  language: ExportLanguage;
  status: 'gathering' | 'ready' | 'failed';
  progress: number;
  tries: number;
  /** Storage of the latest try. Null before the first. */
  archive: string | null;
  /** When a worker may take the job: end of its backoff or of its lease. */
  takeAt: Date;
  file: ExportFile | null;
  expiresAt: Date;
}

/** The archive names the try, so that a worker that lost the job changes nothing. */
export type TakenExport = ExportRecord & { archive: string };

const COLLECTION = 'export_jobs';

export interface ExportRepository {
  prepare(): Promise<void>;
  /** Null if one is being gathered. */
  create(job: Pick<ExportRecord, 'userId' | 'language' | 'expiresAt'>): Promise<{
    created: ExportRecord;
    replaced: ExportRecord | null;
  } | null>;
  /** Null if expired or another account's. */
  find(id: number, userId: number): Promise<ExportRecord | null>;
  findOf(userId: number): Promise<ExportRecord | null>;
  take(now: Date, leasedUntil: Date): Promise<{ taken: TakenExport; abandoned: string | null } | null>;
  /** Skips a completed job. @returns false if the worker lost the job */
  renew(job: TakenExport, changes: Pick<ExportRecord, 'progress' | 'takeAt'>): Promise<boolean>;
  /** Skips a completed job. @returns false if the worker lost the job */
  handBack(job: TakenExport, changes: Partial<Pick<ExportRecord, 'status' | 'tries' | 'takeAt'>>): Promise<boolean>;
  complete(job: TakenExport, file: ExportFile): Promise<boolean>;
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
        // The filter skips an export in progress, so the upsert meets the unique index.
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
    // A late renewal must not undo completion.
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
