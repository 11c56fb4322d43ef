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

export interface ConversationRepository {
  prepare(): Promise<void>;
  /** Idempotent per submission. @returns the stored record */
  insert(conversation: Omit<ConversationRecord, 'id' | 'createdAt'>): Promise<ConversationRecord>;
  findBySubmission(key: string): Promise<ConversationRecord | null>;
  /** Newest first. */
  findRecent(caller: string, since: Date, limit: number): Promise<ConversationRecord[]>;
  /** Newest first. */
  list(page: { before: number | undefined; limit: number }): Promise<ConversationRecord[]>;
  /** Newest first. */
  listOf(caller: string, page: { before: number | undefined; limit: number }): Promise<ConversationRecord[]>;
  /** Null if too many to count. */
  count(): Promise<number | null>;
  /** 0 before the first. */
  latestId(): Promise<number>;
  /** @returns the removed record */
  remove(id: number): Promise<ConversationRecord | null>;
  /** @returns the removed records */
  removeUpTo(id: number, limit: number): Promise<ConversationRecord[]>;
  removeOf(caller: string): Promise<void>;
  /** @returns null if no conversation has the picture */
  findCallerOfPicture(imageName: string): Promise<string | null>;
  clearOrigins(createdBefore: Date): Promise<void>;
}

export function createConversationRepository(connection: Connection): ConversationRepository {
  const model = connection.model('Conversation', schema);

  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { id: -1 }, name: 'id', unique: true },
        { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
        { key: { caller: 1, createdAt: -1 }, name: 'newest_of_caller' },
        { key: { caller: 1, id: -1 }, name: 'of_caller' },
        { key: { imageName: 1 }, name: 'image_name' },
        { key: { createdAt: 1 }, name: 'created_at' },
      ]),
    async insert(conversation) {
      const record: ConversationRecord = {
        ...conversation,
        id: await nextId(connection, COLLECTION),
        createdAt: new Date(),
      };
      try {
        await retryOnDeadlock(() => model.create(record));
        return record;
      } catch (error) {
        const earlier = isDuplicateKey(error)
          ? await model.findOne({ 'submission.key': record.submission.key }).lean<ConversationRecord>()
          : null;
        if (earlier === null) throw error;
        return earlier;
      }
    },
    findBySubmission: (key) => model.findOne({ 'submission.key': key }).lean<ConversationRecord>(),
    findRecent: (caller, since, limit) =>
      model
        .find({ caller, createdAt: { $gte: since } })
        .sort({ id: -1 })
        .limit(limit)
        .lean<ConversationRecord[]>(),
    list: (page) => readNewest(model, page),
    listOf: (caller, { before, limit }) =>
      model
        .find({ caller, ...(before !== undefined && { id: { $lt: before } }) })
        .sort({ id: -1 })
        .limit(limit)
        .lean<ConversationRecord[]>(),
    count: async () => ((await latestId(connection, COLLECTION)) > MAX_COUNTED_IDS ? null : model.countDocuments()),
    latestId: () => latestId(connection, COLLECTION),
    remove: (id) => model.findOneAndDelete({ id }).lean<ConversationRecord>(),
    async removeUpTo(id, limit) {
      const found = await model
        .find({ id: { $lte: id } })
        .limit(limit)
        .lean<ConversationRecord[]>();
      if (found.length > 0) await model.deleteMany({ id: { $in: found.map((record) => record.id) } });
      return found;
    },
    async removeOf(caller) {
      await model.deleteMany({ caller });
    },
    async clearOrigins(createdBefore) {
      await model.updateMany(
        { createdAt: { $lt: createdBefore }, ipAddress: { $ne: null } },
        { $set: { ipAddress: null, userAgent: null } },
      );
    },
    async findCallerOfPicture(imageName) {
      const found = await model.findOne({ imageName }, { caller: 1 }).lean<Pick<ConversationRecord, 'caller'>>();
      return found?.caller ?? null;
    },
  };
}
