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

interface RecordDocument extends Versioned, WithTrace {
  id: number;
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

const goneNow = () => ({
  message: { content: '', isRead: false, isPublic: false, userId: 0 },
  searchableText: '',
  isTraced: false,
  deletedAt: new Date(),
});

/** Of stored texts and searches. */
const normalise = (text: string): string => foldWords(text).replace(/\s+/g, ' ').trim();

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Events arrive at least once and in any order; the result is the same. A message that reuses an id with another
 * creation time replaces the earlier record, whose events then have no effect.
 */
export class RecordRepository {
  readonly #model;
  readonly #nextRecordId;
  readonly #insertDocument;
  readonly #applyChange;

  constructor(private readonly connection: Connection) {
    this.#model = connection.model('TrackingRecord', schema);
    this.#nextRecordId = createIdGenerator(connection, COLLECTION);
    this.#insertDocument = createBatcher<RecordDocument, undefined>({
      runBatch: (documents) => insertEach(this.#model.collection, documents),
    });
    this.#applyChange = createBatcher<Versioned, boolean>({ runBatch: (states) => this.#applyChanges(states) });
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.connection, COLLECTION, [
      { key: { messageId: 1 }, name: 'message_id', unique: true },
      { key: { isTraced: 1, id: -1 }, name: 'newest' },
      { key: { isTraced: 1, 'message.userId': 1, id: -1 }, name: 'newest_of_recipient' },
      { key: { createdAt: 1 }, name: 'created_at' },
    ]);
  }
  async recordCreation(state: Versioned, sealedTrace: string | undefined): Promise<void> {
    const trace = sealedTrace === undefined ? {} : { sealedTrace };
    const document = { ...state, ...trace, isTraced: true, deletedAt: null };
    if (await this.#insert(document)) return;
    const { messageId, createdAt } = state;
    const { matchedCount } = await this.#model.updateOne(
      { messageId, createdAt, isTraced: false, deletedAt: null },
      { $set: { ...trace, isTraced: true } },
    );
    if (matchedCount === 0) await this.#replaceEarlier(document);
  }
  recordChange(state: Versioned): Promise<void> {
    const missing = { ...state, isTraced: false, deletedAt: null };
    return this.#applyOrInsert(
      async () => (await this.#applyChange(state)) || (await this.#replaceEarlier(missing)),
      missing,
    );
  }
  recordDeletion(messageId: number, createdAt: Date): Promise<void> {
    const gone = goneNow();
    return this.#applyOrInsert(
      async () => {
        const { matchedCount } = await this.#model.updateOne(
          { messageId, createdAt: { $lte: createdAt } },
          { $set: { ...gone, createdAt }, $unset: { sealedTrace: 1 } },
        );
        return matchedCount === 1;
      },
      { messageId, revision: 0, createdAt, ...gone },
    );
  }
  /** Leaves tombstones. Later messages belong to another account with this id. */
  async recordDeletionsOf(recipientId: number, until: Date): Promise<void> {
    const own = {
      isTraced: { $in: [true, false] },
      'message.userId': recipientId,
      createdAt: { $lte: until },
    };
    const change = { $set: goneNow(), $unset: { sealedTrace: 1 } } as const;
    await retryOnDeadlock(() => this.#model.updateMany(own, change, IN_BACKGROUND));
  }
  /**
   * Newest first. A search reads a bounded number of records.
   * @returns also the next `before`, null at the end
   */
  async list(
    { recipientId, text }: RecordFilter,
    { before, limit }: { before: number | undefined; limit: number },
  ): Promise<{ records: TrackingRecord[]; nextBefore: number | null }> {
    const conditions = {
      isTraced: true,
      ...(recipientId !== undefined && { 'message.userId': recipientId }),
      ...(text !== undefined && { searchableText: { $regex: escapePattern(normalise(text)) } }),
    };
    const { found, nextBefore: reached } = await readByIdRanges({
      find: (range, max) =>
        this.#model
          .find({ ...conditions, ...range })
          .sort({ id: -1 })
          .limit(max)
          .lean<TrackingRecord[]>(),
      order: 'newest',
      span: { first: 1, last: await latestId(this.connection, COLLECTION) },
      before,
      limit: limit + 1,
      ...(text !== undefined && SEARCH),
    });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1)?.id : reached;
    return { records: page, nextBefore: last ?? null };
  }
  /** Null for a search, or if too many to count per page. */
  async count({ recipientId, text }: RecordFilter): Promise<number | null> {
    if (text !== undefined || (await latestId(this.connection, COLLECTION)) > MAX_COUNTED_IDS) return null;
    return this.#model.countDocuments({
      isTraced: true,
      ...(recipientId !== undefined && { 'message.userId': recipientId }),
    });
  }
  /** Created before `cutoff`, counted up to the limit. */
  async countOlderThan(cutoff: Date, limit: number): Promise<number> {
    return this.#model.countDocuments({ createdAt: { $lt: cutoff } }).limit(limit);
  }
  estimateTotal(): Promise<number> {
    return this.#model.estimatedDocumentCount();
  }
  /** Includes tombstones. @returns how many, at most the limit */
  async removeOlderThan(cutoff: Date, limit: number): Promise<number> {
    const old = await this.#model
      .find({ createdAt: { $lt: cutoff } })
      .select('_id')
      .limit(limit)
      .lean();
    if (old.length === 0) return 0;
    await this.#model.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
    return old.length;
  }

  async #applyOrInsert(apply: () => Promise<boolean>, missing: NewDocument): Promise<void> {
    if (await apply()) return;
    if (await this.#insert(missing)) return;
    // Unchanged, or inserted between the two steps.
    await apply();
  }
  /** @returns false if another event was stored first */
  async #insert(document: NewDocument): Promise<boolean> {
    try {
      const id = await this.#nextRecordId();
      await retryOnDeadlock(() =>
        this.#insertDocument({ ...document, searchableText: normalise(document.message.content), id }),
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
  /** One command for all, one write per message. @returns whether each is settled */
  async #applyChanges(states: Versioned[]): Promise<boolean[]> {
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
    const { matchedCount } = await retryOnDeadlock(() => this.#model.bulkWrite(writes, { ordered: false }));
    if (matchedCount === writes.length) return states.map(() => true);
    const stored = await this.#model
      .find({ messageId: { $in: states.map(({ messageId }) => messageId) } })
      .select({ messageId: 1, createdAt: 1, deletedAt: 1, revision: 1 })
      .lean();
    const recordOf = new Map(stored.map((record) => [record.messageId, record]));
    return states.map(({ messageId, createdAt, revision }) => {
      const record = recordOf.get(messageId);
      if (record === undefined || record.createdAt < createdAt) return false;
      return record.createdAt > createdAt || record.deletedAt !== null || record.revision >= revision;
    });
  }
  /** @returns false without a record of an earlier message */
  async #replaceEarlier(document: NewDocument): Promise<boolean> {
    const { messageId, createdAt } = document;
    const earlier = { messageId, createdAt: { $lt: createdAt } };
    if ((await this.#model.exists(earlier)) === null) return false;
    const id = await this.#nextRecordId();
    const { matchedCount } = await this.#model.updateOne(earlier, {
      $set: { ...document, id, searchableText: normalise(document.message.content) },
      ...(document.sealedTrace === undefined && { $unset: { sealedTrace: 1 } }),
    });
    return matchedCount === 1;
  }
}
