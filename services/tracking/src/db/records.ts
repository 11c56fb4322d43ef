import {
  retryOnDeadlock,
  MAX_COUNTED_IDS,
  createBatcher,
  createIdGenerator,
  ensureIndexes,
  insertEach,
  isDuplicateKey,
  latestId,
  readByIdRanges,
} from '@najwa/common';
import { Schema, type Connection } from 'mongoose';
import { searchableText } from '../domain/searchable-text.js';

/** The message as it stands now, kept up to date by events. */
export interface MessageProjection {
  content: string;
  isRead: boolean;
  isPublic: boolean;
  /** The recipient. */
  userId: number;
}

/** Where a message came from. Empty where nothing is known. */
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

export interface TrackingRecord {
  id: number;
  messageId: number;
  createdAt: Date;
  message: MessageProjection;
  trace: TraceRecord;
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

interface RecordDocument extends Versioned {
  id: number;
  /** The message's text as it is compared. */
  searchableText: string;
  /** Null while only a later event than the creation has arrived. */
  trace: TraceRecord | null;
  isTraced: boolean;
  /** The message is gone; what remains says only that its late events are to be ignored. */
  deletedAt: Date | null;
}

const COLLECTION = 'sender_tracking_info';

/** A search looks at so many records and no more, so that it costs the same however many there are. */
export const SEARCH = { width: 5_000, growth: 1, maxIds: 20_000 };

const schema = new Schema<RecordDocument>(
  {
    id: Number,
    messageId: Number,
    revision: Number,
    createdAt: Date,
    message: { type: { content: String, isRead: Boolean, isPublic: Boolean, userId: Number }, _id: false },
    trace: {
      type: {
        ipAddress: String,
        userAgent: String,
        referrer: String,
        browser: String,
        operatingSystem: String,
        device: String,
        location: String,
        language: String,
        acceptedLanguages: [String],
      },
      _id: false,
      default: null,
    },
    searchableText: String,
    isTraced: Boolean,
    deletedAt: Date,
  },
  { collection: COLLECTION, id: false, versionKey: false },
);

type NewDocument = Omit<RecordDocument, 'id' | 'searchableText'>;

/** Events arrive at least once and in no promised order; every method leaves the same state whatever the order. */
export interface RecordRepository {
  prepare(): Promise<void>;
  recordCreation(state: Versioned, trace: TraceRecord): Promise<void>;
  recordChange(state: Versioned): Promise<void>;
  recordDeletion(messageId: number): Promise<void>;
  /**
   * Newest first. A search by text looks at a bounded number of records.
   * @returns the records, and below which id to continue; null when nothing is left
   */
  list(filter: RecordFilter, page: RecordPage): Promise<{ records: TrackingRecord[]; nextBefore: number | null }>;
  /** How many there are on all pages together; null for a search by text, and where there are too many to count at every read. */
  count(filter: RecordFilter): Promise<number | null>;
  /** Removes some of what was created before, tombstones as well. @returns how many */
  removeOlderThan(cutoff: Date, limit: number): Promise<number>;
}

/** A pattern that stands for exactly this text. */
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export function createRecordRepository(connection: Connection): RecordRepository {
  const model = connection.model('TrackingRecord', schema);

  const nextRecordId = createIdGenerator(connection, COLLECTION);
  const insertDocument = createBatcher<RecordDocument, undefined>({
    runBatch: (documents) => insertEach(model.collection, documents),
  });

  /** @returns false when another event of the same message came first, so that the caller looks again */
  const insert = async (document: NewDocument): Promise<boolean> => {
    try {
      const id = await nextRecordId();
      await retryOnDeadlock(() =>
        insertDocument({ ...document, searchableText: searchableText(document.message.content), id }),
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  /** Applies a change to the record, or makes it; `missing` says what it is made of. */
  const applyOrInsert = async (apply: () => Promise<boolean>, missing: NewDocument): Promise<void> => {
    if (await apply()) return;
    if (await insert(missing)) return;
    // It was there: either it needed nothing, or it came in between and is to be changed now.
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
    async recordCreation(state, trace) {
      if (await insert({ ...state, trace, isTraced: true, deletedAt: null })) return;
      await model.updateOne(
        { messageId: state.messageId, isTraced: false, deletedAt: null },
        { $set: { trace, isTraced: true } },
      );
    },
    recordChange: (state) =>
      applyOrInsert(
        async () => {
          const { messageId, message, revision } = state;
          const { matchedCount } = await model.updateOne(
            { messageId, deletedAt: null, revision: { $lt: revision } },
            { $set: { message, searchableText: searchableText(message.content), revision } },
          );
          return matchedCount === 1;
        },
        { ...state, trace: null, isTraced: false, deletedAt: null },
      ),
    recordDeletion: (messageId) => {
      const gone = {
        message: { content: '', isRead: false, isPublic: false, userId: 0 },
        searchableText: '',
        trace: null,
        isTraced: false,
        deletedAt: new Date(),
      };
      return applyOrInsert(
        async () => {
          const { matchedCount } = await model.updateOne({ messageId }, { $set: gone });
          return matchedCount === 1;
        },
        { messageId, revision: 0, createdAt: gone.deletedAt, ...gone },
      );
    },
    async list({ recipientId, text }, { before, limit }) {
      const among = {
        isTraced: true,
        ...(recipientId !== undefined && { 'message.userId': recipientId }),
        ...(text !== undefined && { searchableText: { $regex: literal(searchableText(text)) } }),
      };
      const { found, nextBefore: reached } = await readByIdRanges({
        find: (range, most) =>
          model
            .find({ ...among, ...range })
            .sort({ id: -1 })
            .limit(most)
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
