import type { Submission } from '@najwa/common/limits';
import { retryOnDeadlock, ensureIndexes, isDuplicateKey } from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';

export interface UploadRecord {
  name: string;
  /**
   * Hash of the uploader, the only one who may use it. Empty once kept for a conversation without a caller, since a
   * hash of an address is reversible.
   */
  caller: string;
  submission: Submission;
  /** When to check that a conversation still needs it. */
  checkAt: Date;
}

const COLLECTION = 'uploads';

const schema = new Schema<UploadRecord>(
  { name: String, caller: String, submission: { key: String, content: String }, checkAt: Date },
  { collection: COLLECTION, versionKey: false },
);

export interface UploadRepository {
  prepare(): Promise<void>;
  /** Idempotent per submission. @returns the stored record */
  insert(upload: UploadRecord): Promise<UploadRecord>;
  findBySubmission(key: string): Promise<UploadRecord | null>;
  /** Postpones the check. @returns false if it is missing, foreign or due */
  extend(upload: Pick<UploadRecord, 'name' | 'caller'>, now: Date, checkAt: Date): Promise<boolean>;
  findDue(now: Date, limit: number): Promise<UploadRecord[]>;
  scheduleCheck(names: string[], checkAt: Date): Promise<void>;
  /** Keeps it until the next check. */
  keep(upload: Pick<UploadRecord, 'name' | 'caller'>, checkAt: Date): Promise<void>;
  scheduleChecksOf(caller: string, checkAt: Date): Promise<void>;
  remove(name: string): Promise<void>;
}

export function createUploadRepository(connection: Connection): UploadRepository {
  const model = connection.model('Upload', schema);

  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { name: 1 }, name: 'name', unique: true },
        { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
        { key: { checkAt: 1 }, name: 'check_at' },
        { key: { caller: 1 }, name: 'caller' },
      ]),
    async insert(upload) {
      try {
        await retryOnDeadlock(() => model.create(upload));
        return upload;
      } catch (error) {
        const earlier = isDuplicateKey(error)
          ? await model.findOne({ 'submission.key': upload.submission.key }).lean<UploadRecord>()
          : null;
        if (earlier === null) throw error;
        return earlier;
      }
    },
    findBySubmission: (key) => model.findOne({ 'submission.key': key }).lean<UploadRecord>(),
    async extend({ name, caller }, now, checkAt) {
      const { matchedCount } = await model.updateOne({ name, caller, checkAt: { $gt: now } }, { $set: { checkAt } });
      return matchedCount === 1;
    },
    findDue: (now, limit) =>
      model
        .find({ checkAt: { $lte: now } })
        .limit(limit)
        .lean<UploadRecord[]>(),
    async scheduleCheck(names, checkAt) {
      if (names.length > 0) await model.updateMany({ name: { $in: names } }, { $set: { checkAt } });
    },
    async keep({ name, caller }, checkAt) {
      await model.updateOne({ name }, { $set: { caller, checkAt } });
    },
    async scheduleChecksOf(caller, checkAt) {
      await model.updateMany({ caller }, { $set: { checkAt } });
    },
    async remove(name) {
      await model.deleteOne({ name });
    },
  };
}
