import { ensureIndexes } from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';
import {
  isUnclaimed,
  keptFields,
  keptIndexes,
  Lifecycle,
  newlyReserved,
  storedAgain,
  type KeptRecord,
  type StoredReaders,
} from '../store/lifecycle.js';

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

export class SoundRepository extends Lifecycle<SoundRecord> {
  constructor(connection: Connection) {
    super(connection, 'Sound', schema);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.model.db, SOUNDS, [
      ...keptIndexes,
      { key: { storageKey: 1, unclaimedSince: -1 }, name: 'storage_key' },
    ]);
  }
  /** Keys may repeat: each is a new draw, and replacing bytes would break playback in progress. */
  async reserve(sound: Pick<SoundRecord, 'name' | 'storageKey' | 'kind'> & StoredReaders, now: Date): Promise<void> {
    await this.model.create({ ...sound, ...newlyReserved, unclaimedSince: now, duration: 0, peaks: [] });
  }
  /** Restarts the time to be claimed. */
  async renew(storageKey: string, now: Date): Promise<SoundRecord | null> {
    const kept = { storageKey, kind: 'message', status: 'stored' } as const;
    const renewed = await this.model
      .findOneAndUpdate({ ...kept, ...isUnclaimed }, storedAgain(now), { returnDocument: 'after' })
      .lean<SoundRecord>();
    return renewed ?? this.model.findOne(kept).lean<SoundRecord>();
  }
  findPreview(storageKey: string, since: Date): Promise<SoundRecord | null> {
    return this.model
      .findOne({ storageKey, kind: 'preview', status: 'stored', unclaimedSince: { $gt: since } })
      .sort({ unclaimedSince: -1 })
      .lean<SoundRecord>();
  }
}
