import { ensureIndexes, isDuplicateKey, writeUnique } from '@najwa/common';
import { Schema, type Connection } from 'mongoose';
import { createLifecycle, isUnclaimed, keptFields, keptIndexes, newlyReserved, type KeptRecord, type Lifecycle } from './lifecycle.js';

/** A message's picture is private until its message is published; an avatar is anyone's; what is shown to the assistant is its asker's and the administrators'. */
export type PictureKind = 'message' | 'avatar' | 'chat';

export interface PictureRecord extends KeptRecord {
  kind: PictureKind;
  width: number;
  height: number;
}

const COLLECTION = 'pictures';

const schema = new Schema<PictureRecord>({ ...keptFields, width: Number, height: Number }, { collection: COLLECTION, versionKey: false });

export interface PictureRepository extends Lifecycle<PictureRecord> {
  prepare(): Promise<void>;
  /** Takes a name for a picture about to be stored. @returns the row, or that of an earlier call with this key */
  reserve(picture: Pick<PictureRecord, 'name' | 'storageKey' | 'kind' | 'readerIds'>, now: Date): Promise<PictureRecord>;
  /** The row of a key, or null. While no message has claimed it, its time to be claimed begins anew. */
  renew(storageKey: string, now: Date): Promise<PictureRecord | null>;
}

export function createPictureRepository(connection: Connection): PictureRepository {
  const model = connection.model('Picture', schema);

  const renew: PictureRepository['renew'] = async (storageKey, now) => {
    const renewed = await model.findOneAndUpdate({ storageKey, ...isUnclaimed }, { $set: { unclaimedSince: now } }, { returnDocument: 'after' }).lean<PictureRecord>();
    return renewed ?? model.findOne({ storageKey }).lean<PictureRecord>();
  };

  return {
    ...createLifecycle<PictureRecord>(connection, 'Picture'),
    prepare: () => ensureIndexes(connection, COLLECTION, [...keptIndexes, { key: { storageKey: 1 }, name: 'storage_key', unique: true }]),
    renew,
    async reserve(picture, now) {
      const record: PictureRecord = {
        ...picture,
        ...newlyReserved,
        isPublic: picture.kind === 'avatar',
        unclaimedSince: picture.kind === 'chat' ? null : now,
        width: 0,
        height: 0,
      };
      try {
        await writeUnique(() => model.create(record));
        return record;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const earlier = await renew(picture.storageKey, now);
        if (earlier === null) throw error;
        return earlier;
      }
    },
  };
}
