import { retryOnDeadlock, ensureIndexes, isDuplicateKey } from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';
import {
  isUnclaimed,
  keptFields,
  keptIndexes,
  Lifecycle,
  newlyReserved,
  storedAgain,
  type KeptBytes,
  type KeptRecord,
  type StoredReaders,
} from '../store/lifecycle.js';

/** `message` is private until published, `avatar` public, `chat` for its sender and administrators. */
export type PictureKind = 'message' | 'avatar' | 'chat';

/** Besides the WebP: for browsers without WebP, and for lists. */
const RENDITIONS = ['jpeg', 'small'] as const;

export type RenditionName = (typeof RENDITIONS)[number];

export interface KeptRendition extends KeptBytes {
  rendition: RenditionName;
}

export interface PictureRecord extends KeptRecord {
  kind: PictureKind;
  width: number;
  height: number;
  renditions: KeptRendition[];
}

export const pictureKey = (name: string, rendition: RenditionName): string => `${name}.${rendition}`;

const PICTURES = 'pictures';

const schema = new Schema<PictureRecord>(
  {
    ...keptFields,
    width: Number,
    height: Number,
    renditions: [{ _id: false, rendition: String, size: Number, contentType: String, etag: String }],
  },
  { collection: PICTURES, versionKey: false },
);

export class PictureRepository extends Lifecycle<PictureRecord> {
  constructor(connection: Connection) {
    super(connection, 'Picture', schema);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.model.db, PICTURES, [
      ...keptIndexes,
      { key: { storageKey: 1 }, name: 'storage_key', unique: true },
    ]);
  }
  override keysOf(name: string): string[] {
    return [name, ...RENDITIONS.map((rendition) => pictureKey(name, rendition))];
  }
  /** Restarts the time to be claimed. */
  async renew(storageKey: string, now: Date): Promise<PictureRecord | null> {
    const renewed = await this.model
      .findOneAndUpdate({ storageKey, ...isUnclaimed }, storedAgain(now), { returnDocument: 'after' })
      .lean<PictureRecord>();
    return renewed ?? this.model.findOne({ storageKey }).lean<PictureRecord>();
  }
  /** For the owning service. Claims a chat picture. */
  async findForService(name: string): Promise<PictureRecord | null> {
    const claimed = await this.model
      .findOneAndUpdate(
        { name, kind: 'chat', status: 'stored', ...isUnclaimed },
        { $set: { unclaimedSince: null } },
        { returnDocument: 'after' },
      )
      .lean<PictureRecord>();
    return claimed ?? this.findStored(name);
  }
  /** @returns its record, or that of an earlier call with this key */
  async reserve(
    picture: Pick<PictureRecord, 'name' | 'storageKey' | 'kind'> & StoredReaders,
    now: Date,
  ): Promise<PictureRecord> {
    const record: PictureRecord = {
      ...picture,
      ...newlyReserved,
      isPublic: picture.kind === 'avatar',
      unclaimedSince: now,
      width: 0,
      height: 0,
      renditions: [],
    };
    try {
      await retryOnDeadlock(() => this.model.create(record));
      return record;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const earlier = await this.renew(picture.storageKey, now);
      if (earlier === null) throw error;
      return earlier;
    }
  }
}
