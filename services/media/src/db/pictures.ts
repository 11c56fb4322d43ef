import { ensureIndexes, isDuplicateKey } from '@najwa/common';
import { Schema, type Connection } from 'mongoose';

/**
 * A picture's life. Its row is there before its bytes and outlives them, so that bytes without a row cannot be:
 * storing (name taken, bytes on their way) → stored → removing (nobody sees it any more) → removed (a tombstone).
 * One that nothing claims in time goes from storing or stored to abandoned, and then altogether.
 */
export type PictureStatus = 'storing' | 'stored' | 'removing' | 'removed' | 'abandoned';

/** A message's picture is private until its message is published; an avatar is anyone's; what is shown to the assistant is its asker's and the administrators'. */
export type PictureKind = 'message' | 'avatar' | 'chat';

/** What is known of the bytes once they are stored. */
export interface StoredBytes {
  width: number;
  height: number;
  size: number;
  contentType: string;
  /** Strong, in its quotes. */
  etag: string;
}

export interface PictureRecord extends StoredBytes {
  name: string;
  storageKey: string;
  kind: PictureKind;
  status: PictureStatus;
  /** Accounts that may see it while it is private. */
  readerIds: number[];
  isPublic: boolean;
  /** Of the message's state that was applied last. */
  revision: number;
  /** Null once something has named it. */
  unclaimedSince: Date | null;
  /** When it was removed or abandoned. */
  endedAt: Date | null;
}

const COLLECTION = 'pictures';

const NO_REVISION = -1;

const schema = new Schema<PictureRecord>(
  {
    name: String,
    storageKey: String,
    kind: String,
    status: String,
    readerIds: [Number],
    isPublic: Boolean,
    revision: Number,
    unclaimedSince: Date,
    endedAt: Date,
    width: Number,
    height: Number,
    size: Number,
    contentType: String,
    etag: String,
  },
  { collection: COLLECTION, versionKey: false },
);

const ANY_TIME = new Date(0);

export interface PictureRepository {
  prepare(): Promise<void>;
  /** Takes a name for a picture about to be stored. @returns the row, or that of an earlier call with this key */
  reserve(picture: Pick<PictureRecord, 'name' | 'storageKey' | 'kind' | 'readerIds'>, now: Date): Promise<PictureRecord>;
  /** The row of a key, or null. While no message has claimed it, its time to be claimed begins anew. */
  renew(storageKey: string, now: Date): Promise<PictureRecord | null>;
  /** The bytes are in the store: from now on the picture can be seen. @returns the row as it now stands */
  complete(name: string, bytes: StoredBytes): Promise<PictureRecord | null>;
  findStored(name: string): Promise<PictureRecord | null>;
  /** Applies a message's state, unless a later one is known. Claims the picture. */
  applyState(name: string, state: { isPublic: boolean; revision: number }): Promise<void>;
  /** From here on nobody sees it. @returns whether its bytes are still to be removed */
  beginRemoval(name: string, revision: number, now: Date): Promise<boolean>;
  /** The bytes are gone. */
  finishRemoval(name: string): Promise<void>;
  /** Gives up what no message has claimed since a date. */
  abandonUnclaimed(since: Date, now: Date, limit: number): Promise<void>;
  /** Names of those whose bytes are to be removed. */
  findNames(status: 'removing' | 'abandoned', limit: number): Promise<string[]>;
  /** Removes the row of an abandoned picture. */
  forget(name: string): Promise<void>;
  /** Removes tombstones from before a date. */
  forgetRemoved(before: Date): Promise<void>;
}

export function createPictureRepository(connection: Connection): PictureRepository {
  const model = connection.model('Picture', schema);
  const unclaimed = { unclaimedSince: { $gt: ANY_TIME } };

  const findOne = (filter: Partial<PictureRecord>): Promise<PictureRecord | null> => model.findOne(filter).lean<PictureRecord>();

  const renew: PictureRepository['renew'] = async (storageKey, now) => {
    const renewed = await model.findOneAndUpdate({ storageKey, ...unclaimed }, { $set: { unclaimedSince: now } }, { returnDocument: 'after' }).lean<PictureRecord>();
    return renewed ?? findOne({ storageKey });
  };

  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { name: 1 }, name: 'name', unique: true },
        { key: { storageKey: 1 }, name: 'storage_key', unique: true },
        { key: { unclaimedSince: 1 }, name: 'unclaimed_since' },
        { key: { status: 1, endedAt: 1 }, name: 'status_ended_at' },
      ]),
    renew,
    async reserve(picture, now) {
      const record: PictureRecord = {
        ...picture,
        status: 'storing',
        isPublic: picture.kind === 'avatar',
        revision: NO_REVISION,
        unclaimedSince: picture.kind === 'chat' ? null : now,
        endedAt: null,
        width: 0,
        height: 0,
        size: 0,
        contentType: '',
        etag: '',
      };
      try {
        await model.create(record);
        return record;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const earlier = await renew(picture.storageKey, now);
        if (earlier === null) throw error;
        return earlier;
      }
    },
    async complete(name, bytes) {
      const completed = await model.findOneAndUpdate({ name, status: 'storing' }, { $set: { status: 'stored', ...bytes } }, { returnDocument: 'after' }).lean<PictureRecord>();
      return completed ?? findOne({ name });
    },
    findStored: (name) => findOne({ name, status: 'stored' }),
    async applyState(name, { isPublic, revision }) {
      await model.updateOne({ name, status: 'stored', revision: { $lt: revision } }, { $set: { isPublic, revision, unclaimedSince: null } });
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
    async abandonUnclaimed(since, now, limit) {
      const late = { unclaimedSince: { $gt: ANY_TIME, $lt: since } };
      const found = await model.find(late, { name: 1 }).sort({ unclaimedSince: 1 }).limit(limit).lean<Pick<PictureRecord, 'name'>[]>();
      // The condition is asked again of each row, which a message may have claimed in between.
      await model.updateMany({ name: { $in: found.map(({ name }) => name) }, ...late }, { $set: { status: 'abandoned', unclaimedSince: null, endedAt: now } });
    },
    async findNames(status, limit) {
      const found = await model.find({ status }, { name: 1 }).sort({ endedAt: 1 }).limit(limit).lean<Pick<PictureRecord, 'name'>[]>();
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
