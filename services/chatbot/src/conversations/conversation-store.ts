import type { Submission } from '@najwa/common/limits';
import {
  retryOnDeadlock,
  MAX_COUNTED_IDS,
  ensureIndexes,
  isDuplicateKey,
  latestId,
  nextId,
  readNewest,
} from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';

/** Address and user agent are null after retention. */
export interface ConversationRecord {
  id: number;
  /** Null for a visitor. */
  userId: number | null;
  userName: string | null;
  userMessage: string;
  botResponse: string;
  imageName: string | null;
  isUsingLocalSystem: boolean;
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: Date;
  /** Hash of the caller. Empty for visitors known by address and browser only. */
  caller: string;
  submission: Submission;
}

const COLLECTION = 'chat_bot_messages';

const schema = new Schema<ConversationRecord>(
  {
    id: Number,
    userId: Number,
    userName: String,
    userMessage: String,
    botResponse: String,
    imageName: String,
    isUsingLocalSystem: Boolean,
    ipAddress: String,
    userAgent: String,
    createdAt: Date,
    caller: String,
    submission: { key: String, content: String },
  },
  { collection: COLLECTION, id: false, versionKey: false },
);

export class ConversationRepository {
  readonly #model;

  constructor(connection: Connection) {
    this.#model = connection.model('Conversation', schema);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#model.db, COLLECTION, [
      { key: { id: -1 }, name: 'id', unique: true },
      { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
      { key: { caller: 1, createdAt: -1 }, name: 'newest_of_caller' },
      { key: { caller: 1, id: -1 }, name: 'of_caller' },
      { key: { imageName: 1 }, name: 'image_name' },
      { key: { createdAt: 1 }, name: 'created_at' },
    ]);
  }
  /** Idempotent per submission. @returns the stored record */
  async insert(conversation: Omit<ConversationRecord, 'id' | 'createdAt'>): Promise<ConversationRecord> {
    const record: ConversationRecord = {
      ...conversation,
      id: await nextId(this.#model.db, COLLECTION),
      createdAt: new Date(),
    };
    try {
      await retryOnDeadlock(() => this.#model.create(record));
      return record;
    } catch (error) {
      const earlier = isDuplicateKey(error) ? await this.findBySubmission(record.submission.key) : null;
      if (earlier === null) throw error;
      return earlier;
    }
  }
  findBySubmission(key: string): Promise<ConversationRecord | null> {
    return this.#model.findOne({ 'submission.key': key }).lean<ConversationRecord>();
  }
  /** Newest first. */
  findRecent(caller: string, since: Date, limit: number): Promise<ConversationRecord[]> {
    return this.#model
      .find({ caller, createdAt: { $gte: since } })
      .sort({ id: -1 })
      .limit(limit)
      .lean<ConversationRecord[]>();
  }
  /** Newest first. */
  list(page: { before: number | undefined; limit: number }): Promise<ConversationRecord[]> {
    return readNewest(this.#model, page);
  }
  /** Newest first. */
  listOf(
    caller: string,
    { before, limit }: { before: number | undefined; limit: number },
  ): Promise<ConversationRecord[]> {
    return this.#model
      .find({ caller, ...(before !== undefined && { id: { $lt: before } }) })
      .sort({ id: -1 })
      .limit(limit)
      .lean<ConversationRecord[]>();
  }
  /** Null if too many to count. */
  async count(): Promise<number | null> {
    return (await latestId(this.#model.db, COLLECTION)) > MAX_COUNTED_IDS ? null : this.#model.countDocuments();
  }
  /** 0 before the first. */
  latestId(): Promise<number> {
    return latestId(this.#model.db, COLLECTION);
  }
  remove(id: number): Promise<ConversationRecord | null> {
    return this.#model.findOneAndDelete({ id }).lean<ConversationRecord>();
  }
  async removeUpTo(id: number, limit: number): Promise<ConversationRecord[]> {
    const found = await this.#model
      .find({ id: { $lte: id } })
      .limit(limit)
      .lean<ConversationRecord[]>();
    if (found.length > 0) await this.#model.deleteMany({ id: { $in: found.map((record) => record.id) } });
    return found;
  }
  async removeOf(caller: string): Promise<void> {
    await this.#model.deleteMany({ caller });
  }
  async clearOrigins(createdBefore: Date): Promise<void> {
    await this.#model.updateMany(
      { createdAt: { $lt: createdBefore }, ipAddress: { $ne: null } },
      { $set: { ipAddress: null, userAgent: null } },
    );
  }
  /** @returns null if no conversation has the picture */
  async findCallerOfPicture(imageName: string): Promise<string | null> {
    const found = await this.#model.findOne({ imageName }, { caller: 1 }).lean<Pick<ConversationRecord, 'caller'>>();
    return found?.caller ?? null;
  }
}
