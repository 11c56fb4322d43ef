import { ensureIndexes } from '@najwa/common';
import { Schema, type Connection } from 'mongoose';
import {
  createLifecycle,
  isUnclaimed,
  keptFields,
  keptIndexes,
  newlyReserved,
  type KeptRecord,
  type Lifecycle,
} from './lifecycle.js';

/** A message's sound is its recipient's until its message is published; a preview is its maker's, for minutes. */
export type SoundKind = 'message' | 'preview';

export interface SoundRecord extends KeptRecord {
  kind: SoundKind;
  /** Of a preview: a hash of who made it. Null for a message, which never says. */
  maker: string | null;
  /** In seconds, measured. */
  duration: number;
  peaks: number[];
}

const COLLECTION = 'sounds';

const schema = new Schema<SoundRecord>(
  { ...keptFields, maker: String, duration: Number, peaks: [Number] },
  { collection: COLLECTION, versionKey: false },
);

export interface SoundRepository extends Lifecycle<SoundRecord> {
  prepare(): Promise<void>;
  /**
   * Takes a name for a sound about to be stored. Several may have one key, since no two are alike: each is drawn anew, and
   * storing one in place of another would leave a name with the bytes of a stranger's.
   */
  reserve(sound: Pick<SoundRecord, 'name' | 'storageKey' | 'kind' | 'readerIds' | 'maker'>, now: Date): Promise<void>;
  /** A message's sound that was stored under this key before, or null. While no message has claimed it, its time to be claimed begins anew. */
  renew(storageKey: string, now: Date): Promise<SoundRecord | null>;
  /** The preview that was made last under a key, or null when that was before a date. */
  findPreview(storageKey: string, since: Date): Promise<SoundRecord | null>;
}

export function createSoundRepository(connection: Connection): SoundRepository {
  const model = connection.model('Sound', schema);

  return {
    ...createLifecycle<SoundRecord>(connection, 'Sound'),
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        ...keptIndexes,
        { key: { storageKey: 1, unclaimedSince: -1 }, name: 'storage_key' },
      ]),
    async reserve(sound, now) {
      await model.create({ ...sound, ...newlyReserved, unclaimedSince: now, duration: 0, peaks: [] });
    },
    async renew(storageKey, now) {
      const kept = { storageKey, kind: 'message', status: 'stored' } as const;
      const renewed = await model
        .findOneAndUpdate({ ...kept, ...isUnclaimed }, { $set: { unclaimedSince: now } }, { returnDocument: 'after' })
        .lean<SoundRecord>();
      return renewed ?? model.findOne(kept).lean<SoundRecord>();
    },
    findPreview: (storageKey, since) =>
      model
        .findOne({ storageKey, kind: 'preview', status: 'stored', unclaimedSince: { $gt: since } })
        .sort({ unclaimedSince: -1 })
        .lean<SoundRecord>(),
  };
}
