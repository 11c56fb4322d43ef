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

/** `message` is private until published, `preview` lives for minutes. */
export type SoundKind = 'message' | 'preview';

export interface SoundRecord extends KeptRecord {
  kind: SoundKind;
  /** Seconds. */
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
  /** Keys may repeat: each is a new draw, and replacing bytes would break playback in progress. */
  reserve(sound: Pick<SoundRecord, 'name' | 'storageKey' | 'kind'> & StoredReaders, now: Date): Promise<void>;
  /** Restarts the time to be claimed. */
  renew(storageKey: string, now: Date): Promise<SoundRecord | null>;
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
