import type { Connection, mongo } from 'mongoose';

/**
 * The life of what is kept. Its row is there before its bytes and outlives them, so that bytes without a row cannot be:
 * storing (name taken, bytes on their way) → stored → removing (nobody gets it any more) → removed (a tombstone).
 * What nothing claims in time goes from storing or stored to abandoned, and then altogether.
 */
export type KeptStatus = 'storing' | 'stored' | 'removing' | 'removed' | 'abandoned';

/** What is known of any bytes once they are stored. */
export interface KeptBytes {
  size: number;
  contentType: string;
  /** Strong, in its quotes. */
  etag: string;
}

export interface KeptRecord extends KeptBytes {
  name: string;
  storageKey: string;
  kind: string;
  status: KeptStatus;
  /** Accounts that may have it while it is private. */
  readerIds: number[];
  isPublic: boolean;
  /** Of the message's state that was applied last. */
  revision: number;
  /** Null once something has named it. */
  unclaimedSince: Date | null;
  /** When it was removed or abandoned. */
  endedAt: Date | null;
}

export interface Unclaimed<Kept extends KeptRecord> {
  /** Of these kinds. */
  kinds: Kept['kind'][];
  since: Date;
  now: Date;
  limit: number;
}

export interface Lifecycle<Kept extends KeptRecord> {
  /** Everything under which bytes of it may be in the store. */
  keysOf(name: string): string[];
  /** The bytes are in the store: from now on it can be had. @returns the row as it now stands */
  complete(name: string, facts: KeptBytes & Partial<Omit<Kept, keyof KeptRecord>>): Promise<Kept | null>;
  findStored(name: string): Promise<Kept | null>;
  /** Applies a message's state, unless a later one is known. Claims it. */
  applyState(name: string, state: { isPublic: boolean; revision: number }): Promise<void>;
  /** From here on nobody gets it. @returns whether its bytes are still to be removed */
  beginRemoval(name: string, revision: number, now: Date): Promise<boolean>;
  /** The bytes are gone. */
  finishRemoval(name: string): Promise<void>;
  /** Gives up what nothing has claimed since a date. */
  abandonUnclaimed(unclaimed: Unclaimed<Kept>): Promise<void>;
  /** Names of those whose bytes are to be removed. */
  findNames(status: 'removing' | 'abandoned', limit: number): Promise<string[]>;
  /** Removes the row of what was abandoned. */
  forget(name: string): Promise<void>;
  /** Removes tombstones from before a date. */
  forgetRemoved(before: Date): Promise<void>;
}

export const keptFields = {
  name: String,
  storageKey: String,
  kind: String,
  status: String,
  readerIds: [Number],
  isPublic: Boolean,
  revision: Number,
  unclaimedSince: Date,
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
const ANY_TIME = new Date(0);

/** A condition, since an index on null would hold everything that was ever kept. */
export const isUnclaimed = { unclaimedSince: { $gt: ANY_TIME } };

/** A row before its bytes. */
export const newlyReserved = {
  status: 'storing',
  isPublic: false,
  revision: NO_REVISION,
  endedAt: null,
  size: 0,
  contentType: '',
  etag: '',
} as const;

/** @param modelName of a model whose schema holds `keptFields` */
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
    async applyState(name, { isPublic, revision }) {
      await model.updateOne(
        { name, status: 'stored', revision: { $lt: revision } },
        { $set: { isPublic, revision, unclaimedSince: null } },
      );
    },
    async beginRemoval(name, revision, now) {
      await model.updateOne(
        { name, status: { $in: ['storing', 'stored'] } },
        { $set: { status: 'removing', isPublic: false, readerIds: [], revision, unclaimedSince: null, endedAt: now } },
      );
      return (await findOne({ name, status: 'removing' })) !== null;
    },
    async finishRemoval(name) {
      await model.updateOne({ name, status: 'removing' }, { $set: { status: 'removed' } });
    },
    async abandonUnclaimed({ kinds, since, now, limit }) {
      const late = { kind: { $in: kinds }, unclaimedSince: { $gt: ANY_TIME, $lt: since } };
      const found = await model
        .find(late, { name: 1 })
        .sort({ unclaimedSince: 1 })
        .limit(limit)
        .lean<Pick<KeptRecord, 'name'>[]>();
      // The condition is asked again of each row, which something may have claimed in between.
      await model.updateMany(
        { name: { $in: found.map(({ name }) => name) }, ...late },
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
      await model.deleteMany({ status: 'removed', endedAt: { $lt: before } });
    },
  };
}
