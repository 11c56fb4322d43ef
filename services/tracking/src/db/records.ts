import { createBatcher } from '@najwa/common';
import {
  retryOnDeadlock,
  MAX_COUNTED_IDS,
  createIdGenerator,
  ensureIndexes,
  IN_BACKGROUND,
  insertEach,
  isDuplicateKey,
  latestId,
  readByIdRanges,
} from '@najwa/common/mongo';
import { foldWords } from '@najwa/proto/words';
import { Schema, type Connection } from 'mongoose';

/** Updated by events. */
export interface MessageProjection {
  content: string;
  isRead: boolean;
  isPublic: boolean;
  /** The recipient. */
  userId: number;
}

/** Unknown fields are empty. */
export interface TraceRecord {
  ipAddress: string;
  userAgent: string;
  referrer: string;
  browser: string;
  operatingSystem: string;
  device: string;
  location: string;
  language: string;
  acceptedLanguages: string[];
}

interface WithTrace {
  /** Missing in tombstones and until the creation event. */
  sealedTrace?: string | undefined;
}

export interface TrackingRecord extends WithTrace {
  id: number;
  messageId: number;
  createdAt: Date;
  message: MessageProjection;
}

export interface Versioned {
  messageId: number;
  revision: number;
  message: MessageProjection;
  createdAt: Date;
}

export interface RecordFilter {
  recipientId?: number | undefined;
  text?: string | undefined;
}

export interface RecordPage {
  before: number | undefined;
  limit: number;
}

interface RecordDocument extends Versioned, WithTrace {
  id: number;
  /** Normalised text. */
  searchableText: string;
  /** False if a later event came before the creation. */
  isTraced: boolean;
  /** Tombstone: late events of a deleted message have no effect. */
  deletedAt: Date | null;
}

const COLLECTION = 'sender_tracking_info';

/** Bounds the records read by a search. */
export const SEARCH = { width: 5_000, growth: 1, maxIds: 20_000 };

const schema = new Schema<RecordDocument>(
  {
    id: Number,
    messageId: Number,
    revision: Number,
    createdAt: Date,
    message: { type: { content: String, isRead: Boolean, isPublic: Boolean, userId: Number }, _id: false },
    sealedTrace: String,
    searchableText: String,
    isTraced: Boolean,
    deletedAt: Date,
  },
  { collection: COLLECTION, id: false, versionKey: false },
);

type NewDocument = Omit<RecordDocument, 'id' | 'searchableText'>;

/**
 * Events arrive at least once and in any order; the result is the same. A message that reuses an id with another
 * creation time replaces the earlier record, whose events then have no effect.
 */
export interface RecordRepository {
  prepare(): Promise<void>;
  recordCreation(state: Versioned, sealedTrace: string | undefined): Promise<void>;
  recordChange(state: Versioned): Promise<void>;
  recordDeletion(messageId: number, createdAt: Date): Promise<void>;
  /** Leaves tombstones. Later messages belong to another account with this id. */
  recordDeletionsOf(recipientId: number, until: Date): Promise<void>;
  /**
   * Newest first. A search reads a bounded number of records.
   * @returns also the next `before`, null at the end
   */
  list(filter: RecordFilter, page: RecordPage): Promise<{ records: TrackingRecord[]; nextBefore: number | null }>;
  /** Null for a search, or if too many to count per page. */
  count(filter: RecordFilter): Promise<number | null>;
  /** Created before `cutoff`, counted up to the limit. */
  countOlderThan(cutoff: Date, limit: number): Promise<number>;
  estimateTotal(): Promise<number>;
  /** Includes tombstones. @returns how many, at most the limit */
  removeOlderThan(cutoff: Date, limit: number): Promise<number>;
}

const goneNow = () => ({
  message: { content: '', isRead: false, isPublic: false, userId: 0 },
  searchableText: '',
  isTraced: false,
  deletedAt: new Date(),
});

/** Applied to stored texts and searches: folded, single spaces. */
const normalise = (text: string): string => foldWords(text).replace(/\s+/g, ' ').trim();

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export function createRecordRepository(connection: Connection): RecordRepository {
  const model = connection.model('TrackingRecord', schema);

  const nextRecordId = createIdGenerator(connection, COLLECTION);
  const insertDocument = createBatcher<RecordDocument, undefined>({
    runBatch: (documents) => insertEach(model.collection, documents),
  });

  /** @returns false if another event was stored first */
  const insert = async (document: NewDocument): Promise<boolean> => {
    try {
      const id = await nextRecordId();
      await retryOnDeadlock(() =>
        insertDocument({ ...document, searchableText: normalise(document.message.content), id }),
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  /**
   * One command for all, one write per message.
   * @returns whether each record is settled
   */
  const applyChange = createBatcher<Versioned, boolean>({
    async runBatch(states) {
      const latest = new Map<string, Versioned>();
      for (const state of states) {
        const key = `${state.messageId} ${state.createdAt.getTime()}`;
        if (state.revision > (latest.get(key)?.revision ?? -1)) latest.set(key, state);
      }
      const writes = [...latest.values()].map(({ messageId, createdAt, message, revision }) => ({
        updateOne: {
          filter: { messageId, createdAt, deletedAt: null, revision: { $lt: revision } },
          update: { $set: { message, searchableText: normalise(message.content), revision } },
        },
      }));
      const { matchedCount } = await retryOnDeadlock(() => model.bulkWrite(writes, { ordered: false }));
      if (matchedCount === writes.length) return states.map(() => true);
      const stored = await model
        .find({ messageId: { $in: states.map(({ messageId }) => messageId) } })
        .select({ messageId: 1, createdAt: 1, deletedAt: 1, revision: 1 })
        .lean();
      const recordOf = new Map(stored.map((record) => [record.messageId, record]));
      return states.map(({ messageId, createdAt, revision }) => {
        const record = recordOf.get(messageId);
        if (record === undefined || record.createdAt < createdAt) return false;
        return record.createdAt > createdAt || record.deletedAt !== null || record.revision >= revision;
      });
    },
  });

  /** @returns false without a record of an earlier message */
  const replaceEarlier = async (document: NewDocument): Promise<boolean> => {
    const { messageId, createdAt } = document;
    const earlier = { messageId, createdAt: { $lt: createdAt } };
    if ((await model.exists(earlier)) === null) return false;
    const id = await nextRecordId();
    const { matchedCount } = await model.updateOne(earlier, {
      $set: { ...document, id, searchableText: normalise(document.message.content) },
      ...(document.sealedTrace === undefined && { $unset: { sealedTrace: 1 } }),
    });
    return matchedCount === 1;
  };

  const applyOrInsert = async (apply: () => Promise<boolean>, missing: NewDocument): Promise<void> => {
    if (await apply()) return;
    if (await insert(missing)) return;
    // Unchanged, or inserted between the two steps.
    await apply();
  };

  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { messageId: 1 }, name: 'message_id', unique: true },
        { key: { isTraced: 1, id: -1 }, name: 'newest' },
        { key: { isTraced: 1, 'message.userId': 1, id: -1 }, name: 'newest_of_recipient' },
        { key: { createdAt: 1 }, name: 'created_at' },
      ]),
    async recordCreation(state, sealedTrace) {
      const trace = sealedTrace === undefined ? {} : { sealedTrace };
      const document = { ...state, ...trace, isTraced: true, deletedAt: null };
      if (await insert(document)) return;
      const { messageId, createdAt } = state;
      const { matchedCount } = await model.updateOne(
        { messageId, createdAt, isTraced: false, deletedAt: null },
        { $set: { ...trace, isTraced: true } },
      );
      if (matchedCount === 0) await replaceEarlier(document);
    },
    recordChange: (state) => {
      const missing = { ...state, isTraced: false, deletedAt: null };
      return applyOrInsert(async () => (await applyChange(state)) || (await replaceEarlier(missing)), missing);
    },
    recordDeletion: (messageId, createdAt) => {
      const gone = goneNow();
      return applyOrInsert(
        async () => {
          const { matchedCount } = await model.updateOne(
            { messageId, createdAt: { $lte: createdAt } },
            { $set: { ...gone, createdAt }, $unset: { sealedTrace: 1 } },
          );
          return matchedCount === 1;
        },
        { messageId, revision: 0, createdAt, ...gone },
      );
    },
    async recordDeletionsOf(recipientId, until) {
      const own = {
        isTraced: { $in: [true, false] },
        'message.userId': recipientId,
        createdAt: { $lte: until },
      };
      const change = { $set: goneNow(), $unset: { sealedTrace: 1 } } as const;
      await retryOnDeadlock(() => model.updateMany(own, change, IN_BACKGROUND));
    },
    async list({ recipientId, text }, { before, limit }) {
      const conditions = {
        isTraced: true,
        ...(recipientId !== undefined && { 'message.userId': recipientId }),
        ...(text !== undefined && { searchableText: { $regex: escapePattern(normalise(text)) } }),
      };
      const { found, nextBefore: reached } = await readByIdRanges({
        find: (range, max) =>
          model
            .find({ ...conditions, ...range })
            .sort({ id: -1 })
            .limit(max)
            .lean<TrackingRecord[]>(),
        order: 'newest',
        span: { first: 1, last: await latestId(connection, COLLECTION) },
        before,
        limit: limit + 1,
        ...(text !== undefined && SEARCH),
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1)?.id : reached;
      return { records: page, nextBefore: last ?? null };
    },
    async count({ recipientId, text }) {
      if (text !== undefined || (await latestId(connection, COLLECTION)) > MAX_COUNTED_IDS) return null;
      return model.countDocuments({
        isTraced: true,
        ...(recipientId !== undefined && { 'message.userId': recipientId }),
      });
    },
    countOlderThan: (cutoff, limit) => model.countDocuments({ createdAt: { $lt: cutoff } }).limit(limit),
    estimateTotal: () => model.estimatedDocumentCount(),
    async removeOlderThan(cutoff, limit) {
      const old = await model
        .find({ createdAt: { $lt: cutoff } })
        .select('_id')
        .limit(limit)
        .lean();
      if (old.length === 0) return 0;
      await model.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
      return old.length;
    },
  };
}
