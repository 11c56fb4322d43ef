import { ensureIndexes } from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';
import {
  createLifecycle,
  isUnclaimed,
  keptFields,
  keptIndexes,
  newlyReserved,
  storedAgain,
  type KeptRecord,
  type Lifecycle,
  type StoredReaders,
} from './lifecycle.js';

/** A message's sound is private to its recipient until the message is published. A preview lives for minutes. */
export type SoundKind = 'message' | 'preview';

export interface SoundRecord extends KeptRecord {
  kind: SoundKind;
  /** In seconds, measured. */
  duration: number;
  peaks: number[];
}

const SOUNDS = 'sounds';

const schema = new Schema<SoundRecord>(
  { ...keptFields, duration: Number, peaks: [Number] },
  { collection: SOUNDS, versionKey: false },
);

export interface SoundRepository extends Lifecycle<SoundRecord> {
  prepare(): Promise<void>;
  /**
   * Reserves a name for a sound. Several sounds may have the same key: each is a new draw, and replacing the bytes
   * behind a name would break playback in progress.
   */
  reserve(sound: Pick<SoundRecord, 'name' | 'storageKey' | 'kind'> & StoredReaders, now: Date): Promise<void>;
  /** A message's sound stored under this key before, or null. Restarts its time to be claimed. */
  renew(storageKey: string, now: Date): Promise<SoundRecord | null>;
  /** The latest preview of a key, or null if that is older than a date. */
  findPreview(storageKey: string, since: Date): Promise<SoundRecord | null>;
}

export function createSoundRepository(connection: Connection): SoundRepository {
  const model = connection.model('Sound', schema);

  return {
    ...createLifecycle<SoundRecord>(connection, 'Sound'),
    prepare: () =>
      ensureIndexes(connection, SOUNDS, [
        ...keptIndexes,
        { key: { storageKey: 1, unclaimedSince: -1 }, name: 'storage_key' },
      ]),
    async reserve(sound, now) {
      await model.create({ ...sound, ...newlyReserved, unclaimedSince: now, duration: 0, peaks: [] });
    },
    async renew(storageKey, now) {
      const kept = { storageKey, kind: 'message', status: 'stored' } as const;
      const renewed = await model
        .findOneAndUpdate({ ...kept, ...isUnclaimed }, storedAgain(now), { returnDocument: 'after' })
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
