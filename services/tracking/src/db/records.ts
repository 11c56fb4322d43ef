import { ensureIndexes, isDuplicateKey, nextId } from '@najwa/common';
import { Schema, type Connection } from 'mongoose';

/** The message as it stands now, kept up to date by events. */
export interface MessageProjection {
  content: string;
  isRead: boolean;
  isPublic: boolean;
  /** The recipient. */
  userId: number;
}

export interface SenderTraceRecord {
  ipAddress: string;
  userAgent: string;
  referrer: string;
  language: string;
}

export interface TrackingRecord {
  id: number;
  messageId: number;
  createdAt: Date;
  message: MessageProjection;
  trace: SenderTraceRecord;
}

export interface Versioned {
  messageId: number;
  revision: number;
  message: MessageProjection;
  createdAt: Date;
}

interface RecordDocument extends Versioned {
  id: number;
  /** Null while only a later event than the creation has arrived. */
  trace: SenderTraceRecord | null;
  isTraced: boolean;
  /** The message is gone; what remains says only that its late events are to be ignored. */
  deletedAt: Date | null;
}

const COLLECTION = 'sender_tracking_info';

const schema = new Schema<RecordDocument>(
  {
    id: Number,
    messageId: Number,
    revision: Number,
    createdAt: Date,
    message: { type: { content: String, isRead: Boolean, isPublic: Boolean, userId: Number }, _id: false },
    trace: { type: { ipAddress: String, userAgent: String, referrer: String, language: String }, _id: false, default: null },
    isTraced: Boolean,
    deletedAt: Date,
  },
  { collection: COLLECTION, id: false, versionKey: false },
);

/** Events arrive at least once and in no promised order; every method leaves the same state whatever the order. */
export interface RecordRepository {
  prepare(): Promise<void>;
  recordCreation(state: Versioned, trace: SenderTraceRecord): Promise<void>;
  recordChange(state: Versioned): Promise<void>;
  recordDeletion(messageId: number): Promise<void>;
  /** Newest first. */
  list(page: { before: number | undefined; limit: number }): Promise<TrackingRecord[]>;
}

export function createRecordRepository(connection: Connection): RecordRepository {
  const model = connection.model('TrackingRecord', schema);

  /** @returns false when another event of the same message came first, so that the caller looks again */
  const insert = async (document: Omit<RecordDocument, 'id'>): Promise<boolean> => {
    try {
      await model.create({ ...document, id: await nextId(connection, COLLECTION) });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  /** Applies a change to the record, or makes it; `missing` says what it is made of. */
  const applyOrInsert = async (apply: () => Promise<boolean>, missing: Omit<RecordDocument, 'id'>): Promise<void> => {
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
      ]),
    recordCreation: (state, trace) =>
      applyOrInsert(
        async () => {
          const { matchedCount } = await model.updateOne({ messageId: state.messageId, isTraced: false, deletedAt: null }, { $set: { trace, isTraced: true } });
          return matchedCount === 1;
        },
        { ...state, trace, isTraced: true, deletedAt: null },
      ),
    recordChange: (state) =>
      applyOrInsert(
        async () => {
          const { messageId, message, revision } = state;
          const { matchedCount } = await model.updateOne({ messageId, deletedAt: null, revision: { $lt: revision } }, { $set: { message, revision } });
          return matchedCount === 1;
        },
        { ...state, trace: null, isTraced: false, deletedAt: null },
      ),
    recordDeletion: (messageId) => {
      const gone = { message: { content: '', isRead: false, isPublic: false, userId: 0 }, trace: null, isTraced: false, deletedAt: new Date() };
      return applyOrInsert(
        async () => {
          const { matchedCount } = await model.updateOne({ messageId }, { $set: gone });
          return matchedCount === 1;
        },
        { messageId, revision: 0, createdAt: gone.deletedAt, ...gone },
      );
    },
    list: ({ before, limit }) =>
      model
        .find({ isTraced: true, ...(before !== undefined && { id: { $lt: before } }) })
        .sort({ id: -1 })
        .limit(limit)
        .lean<TrackingRecord[]>(),
  };
}
