import { IN_BACKGROUND } from '@najwa/common/mongo';
import type { Connection, mongo } from 'mongoose';

/**
 * States of a file. The record precedes and outlives its bytes, so no bytes lack a record: storing → stored → removing
 * (no longer served) → removed (tombstone). An unclaimed file becomes abandoned, and its record is deleted.
 */
export type KeptStatus = 'storing' | 'stored' | 'removing' | 'removed' | 'abandoned';

export interface KeptBytes {
  size: number;
  contentType: string;
  /** Strong, with quotes. */
  etag: string;
}

export interface StoredReaders {
  /** Account tags, specific to the file. */
  readerTags: string[];
}

export interface KeptRecord extends KeptBytes, StoredReaders {
  name: string;
  storageKey: string;
  kind: string;
  status: KeptStatus;
  isPublic: boolean;
  /** Readable by moderators. */
  isReported: boolean;
  /** Of the last message state applied. */
  revision: number;
  /** Null once claimed by an event. */
  unclaimedSince: Date | null;
  /** When the owner was last asked to claim it. Reset when stored again. */
  askedAt?: Date;
  /** Time of removal or abandonment. */
  endedAt: Date | null;
}

export interface Unclaimed<Kept extends KeptRecord> {
  kinds: Kept['kind'][];
  since: Date;
  now: Date;
  limit: number;
}

export interface MediaState {
  isPublic: boolean;
  isReported?: boolean;
  revision: number;
}

export interface Lifecycle<Kept extends KeptRecord> {
  /** All keys that may hold its bytes. */
  keysOf(name: string): string[];
  /** Marks the bytes as stored. @returns the current record */
  complete(name: string, facts: KeptBytes & Partial<Omit<Kept, keyof KeptRecord>>): Promise<Kept | null>;
  findStored(name: string): Promise<Kept | null>;
  /** Claims the file, unless a later revision is applied. */
  applyState(name: string, state: MediaState): Promise<void>;
  /** For moderators, after its message was deleted. */
  keepAsEvidence(name: string, revision: number): Promise<void>;
  /** @returns whether bytes remain to be removed */
  beginRemoval(name: string, revision: number, now: Date): Promise<boolean>;
  /** Frees the storage key for a later upload. */
  finishRemoval(name: string): Promise<void>;
  /** @returns how many, at most `limit` */
  abandonUnclaimed(unclaimed: Unclaimed<Kept>): Promise<number>;
  /** Counts at most `limit`. */
  countUnclaimed(unclaimed: Pick<Unclaimed<Kept>, 'kinds' | 'since'>, limit: number): Promise<number>;
  estimateTotal(): Promise<number>;
  /** @returns names not asked for lately */
  beginAsking(unclaimed: Unclaimed<Kept>, askAgainBefore: Date): Promise<string[]>;
  abandonReleased(names: readonly string[], now: Date): Promise<void>;
  findNames(status: 'removing' | 'abandoned', limit: number): Promise<string[]>;
  forget(name: string): Promise<void>;
  forgetRemoved(before: Date): Promise<void>;
}

export const keptFields = {
  name: String,
  storageKey: String,
  kind: String,
  status: String,
  readerTags: [String],
  isPublic: Boolean,
  isReported: Boolean,
  revision: Number,
  unclaimedSince: Date,
  askedAt: Date,
  endedAt: Date,
  size: Number,
  contentType: String,
  etag: String,
};

export const keptIndexes: mongo.IndexDescription[] = [
  { key: { name: 1 }, name: 'name', unique: true },
  { key: { unclaimedSince: 1 }, name: 'unclaimed_since' },
  { key: { status: 1, endedAt: 1 }, name: 'status_ended_at' },
];

const NO_REVISION = -1;
const NO_READERS: StoredReaders = { readerTags: [] };
const ANY_TIME = new Date(0);

/** Compares with a date, because an index lookup for null would read every claimed record. */
export const isUnclaimed = { unclaimedSince: { $gt: ANY_TIME } };

/** A retry may still lead to a message, so earlier answers no longer count. */
export const storedAgain = (now: Date) => ({ $set: { unclaimedSince: now }, $unset: { askedAt: 1 as const } });

export const newlyReserved = {
  status: 'storing',
  isPublic: false,
  isReported: false,
  revision: NO_REVISION,
  endedAt: null,
  size: 0,
  contentType: '',
  etag: '',
} as const;

/** @param modelName of a model with `keptFields` */
export function createLifecycle<Kept extends KeptRecord>(
  connection: Connection,
  modelName: string,
  keysOf: Lifecycle<Kept>['keysOf'] = (name) => [name],
): Lifecycle<Kept> {
  const model = connection.model<KeptRecord>(modelName);
  const findOne = (filter: Partial<KeptRecord>): Promise<Kept | null> => model.findOne(filter).lean<Kept>();

  return {
    keysOf,
    async complete(name, facts) {
      const completed = await model
        .findOneAndUpdate(
          { name, status: 'storing' },
          { $set: { status: 'stored', ...facts } },
          { returnDocument: 'after' },
        )
        .lean<Kept>();
      return completed ?? findOne({ name });
    },
    findStored: (name) => findOne({ name, status: 'stored' }),
    async applyState(name, { isPublic, isReported = false, revision }) {
      await model.updateOne(
        { name, status: 'stored', revision: { $lt: revision } },
        { $set: { isPublic, isReported, revision, unclaimedSince: null } },
      );
    },
    async keepAsEvidence(name, revision) {
      await model.updateOne(
        { name, status: 'stored', revision: { $lt: revision } },
        { $set: { isPublic: false, isReported: true, ...NO_READERS, revision, unclaimedSince: null } },
      );
    },
    async beginRemoval(name, revision, now) {
      await model.updateOne(
        { name, status: { $in: ['storing', 'stored'] } },
        { $set: { status: 'removing', isPublic: false, ...NO_READERS, revision, unclaimedSince: null, endedAt: now } },
      );
      return (await findOne({ name, status: 'removing' })) !== null;
    },
    async finishRemoval(name) {
      const storageKey = `removed ${name}`;
      await model.updateOne({ name, status: 'removing' }, { $set: { status: 'removed', storageKey } });
    },
    async abandonUnclaimed({ kinds, since, now, limit }) {
      const late = { kind: { $in: kinds }, unclaimedSince: { $gt: ANY_TIME, $lt: since } };
      const found = await model
        .find(late, { name: 1 })
        .sort({ unclaimedSince: 1 })
        .limit(limit)
        .lean<Pick<KeptRecord, 'name'>[]>();
      // Repeats the condition, in case an event claimed one meanwhile.
      await model.updateMany(
        { name: { $in: found.map(({ name }) => name) }, ...late },
        { $set: { status: 'abandoned', unclaimedSince: null, endedAt: now } },
      );
      return found.length;
    },
    countUnclaimed: ({ kinds, since }, limit) =>
      model.countDocuments({ kind: { $in: kinds }, unclaimedSince: { $gt: ANY_TIME, $lt: since } }).limit(limit),
    estimateTotal: () => model.estimatedDocumentCount(),
    async beginAsking({ kinds, since, now, limit }, askAgainBefore) {
      const found = await model
        .find(
          {
            kind: { $in: kinds },
            unclaimedSince: { $gt: ANY_TIME, $lt: since },
            $or: [{ askedAt: { $exists: false } }, { askedAt: { $lt: askAgainBefore } }],
          },
          { name: 1, unclaimedSince: 1 },
        )
        .sort({ unclaimedSince: 1 })
        .limit(limit)
        .lean<Pick<KeptRecord, 'name'>[]>();
      const names = found.map(({ name }) => name);
      await model.updateMany(
        { name: { $in: names }, unclaimedSince: { $gt: ANY_TIME, $lt: since } },
        { $set: { askedAt: now } },
      );
      return names;
    },
    async abandonReleased(names, now) {
      await model.updateMany(
        { name: { $in: names }, unclaimedSince: { $gt: ANY_TIME }, askedAt: { $gt: ANY_TIME } },
        { $set: { status: 'abandoned', unclaimedSince: null, endedAt: now } },
      );
    },
    async findNames(status, limit) {
      const found = await model
        .find({ status }, { name: 1 })
        .sort({ endedAt: 1 })
        .limit(limit)
        .lean<Pick<KeptRecord, 'name'>[]>();
      return found.map(({ name }) => name);
    },
    async forget(name) {
      await model.deleteOne({ name, status: 'abandoned' });
    },
    async forgetRemoved(before) {
      await model.deleteMany({ status: 'removed', endedAt: { $lt: before } }, IN_BACKGROUND);
    },
  };
}
