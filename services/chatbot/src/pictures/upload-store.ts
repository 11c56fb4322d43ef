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

export class UploadRepository {
  readonly #model;

  constructor(connection: Connection) {
    this.#model = connection.model('Upload', schema);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#model.db, COLLECTION, [
      { key: { name: 1 }, name: 'name', unique: true },
      { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
      { key: { checkAt: 1 }, name: 'check_at' },
      { key: { caller: 1 }, name: 'caller' },
    ]);
  }
  /** Idempotent per submission. @returns the stored record */
  async insert(upload: UploadRecord): Promise<UploadRecord> {
    try {
      await retryOnDeadlock(() => this.#model.create(upload));
      return upload;
    } catch (error) {
      const earlier = isDuplicateKey(error) ? await this.findBySubmission(upload.submission.key) : null;
      if (earlier === null) throw error;
      return earlier;
    }
  }
  findBySubmission(key: string): Promise<UploadRecord | null> {
    return this.#model.findOne({ 'submission.key': key }).lean<UploadRecord>();
  }
  /** Postpones the check. @returns false if it is missing, foreign or due */
  async extend({ name, caller }: Pick<UploadRecord, 'name' | 'caller'>, now: Date, checkAt: Date): Promise<boolean> {
    const { matchedCount } = await this.#model.updateOne(
      { name, caller, checkAt: { $gt: now } },
      { $set: { checkAt } },
    );
    return matchedCount === 1;
  }
  findDue(now: Date, limit: number): Promise<UploadRecord[]> {
    return this.#model
      .find({ checkAt: { $lte: now } })
      .limit(limit)
      .lean<UploadRecord[]>();
  }
  async scheduleCheck(names: string[], checkAt: Date): Promise<void> {
    if (names.length > 0) await this.#model.updateMany({ name: { $in: names } }, { $set: { checkAt } });
  }
  /** Keeps it until the next check. */
  async keep({ name, caller }: Pick<UploadRecord, 'name' | 'caller'>, checkAt: Date): Promise<void> {
    await this.#model.updateOne({ name }, { $set: { caller, checkAt } });
  }
  async scheduleChecksOf(caller: string, checkAt: Date): Promise<void> {
    await this.#model.updateMany({ caller }, { $set: { checkAt } });
  }
  async remove(name: string): Promise<void> {
    await this.#model.deleteOne({ name });
  }
}
