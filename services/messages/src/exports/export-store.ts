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

export interface ExportJob {
  taken: TakenExport;
  /** Storage of an earlier try. */
  abandoned: string | null;
}

interface NewExport {
  created: ExportRecord;
  replaced: ExportRecord | null;
}

const COLLECTION = 'export_jobs';

const UNTRIED = { status: 'gathering' as const, progress: 0, tries: 0, archive: null, file: null };
const notReady = { status: { $ne: 'ready' as const } };

export class ExportRepository {
  readonly #collection;

  constructor(connection: Connection) {
    this.#collection = connection.collection<ExportRecord>(COLLECTION);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#collection.conn, COLLECTION, [
      { key: { id: 1 }, name: 'id', unique: true },
      { key: { userId: 1 }, name: 'user_id', unique: true },
      { key: { takeAt: 1 }, name: 'take_at' },
      { key: { expiresAt: 1 }, name: 'expires_at' },
    ]);
  }
  /** Null if one is being gathered. */
  async create(job: Pick<ExportRecord, 'userId' | 'language' | 'expiresAt'>): Promise<NewExport | null> {
    const now = new Date();
    const created: ExportRecord = { ...job, ...UNTRIED, id: randomId(), takeAt: now };
    const { userId } = job;
    await this.#collection.deleteMany({ userId, expiresAt: { $lte: now } });
    try {
      // The filter skips an export in progress, so the upsert meets the unique index.
      const replaced = await retryOnDeadlock(() =>
        this.#collection.findOneAndReplace(
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
  }
  /** The account's only export by default. Null if expired or another account's. */
  find(userId: number, id?: number): Promise<ExportRecord | null> {
    const filter = { userId, ...(id !== undefined && { id }), expiresAt: { $gt: new Date() } };
    return this.#collection.findOne(filter, { projection: { _id: 0 } });
  }
  async take(now: Date, leasedUntil: Date): Promise<ExportJob | null> {
    const archive = randomUUID();
    const before = await this.#collection.findOneAndUpdate(
      { takeAt: { $lte: now }, status: { $in: ['gathering', 'failed'] }, expiresAt: { $gt: now } },
      { $set: { archive, takeAt: leasedUntil, progress: 0 }, $inc: { tries: 1 } },
      { sort: { takeAt: 1 }, returnDocument: 'before', projection: { _id: 0 } },
    );
    return before && { taken: { ...before, archive, tries: before.tries + 1 }, abandoned: before.archive };
  }
  /** Skips a completed job, whose completion a late renewal must not undo. @returns false if the worker lost the job */
  renew(job: TakenExport, changes: Pick<ExportRecord, 'progress' | 'takeAt'>): Promise<boolean> {
    return this.#change(job, changes, notReady);
  }
  /** Skips a completed job. @returns false if the worker lost the job */
  handBack(job: TakenExport, changes: Partial<Pick<ExportRecord, 'status' | 'tries' | 'takeAt'>>): Promise<boolean> {
    return this.#change(job, changes, notReady);
  }
  complete(job: TakenExport, file: ExportFile): Promise<boolean> {
    return this.#change(job, { status: 'ready', progress: 100, file });
  }
  async isComplete({ id, archive }: TakenExport): Promise<boolean> {
    return (await this.#collection.findOne({ id, archive, status: 'ready' })) !== null;
  }
  async removeOf(userId: number): Promise<void> {
    await this.#collection.deleteMany({ userId });
  }
  async forgetOld(now: Date): Promise<void> {
    await this.#collection.deleteMany({ expiresAt: { $lte: now } });
  }

  async #change(
    { id, archive }: TakenExport,
    set: Partial<ExportRecord>,
    only: mongo.Filter<ExportRecord> = {},
  ): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne({ id, archive, ...only }, { $set: set });
    return matchedCount === 1;
  }
}
