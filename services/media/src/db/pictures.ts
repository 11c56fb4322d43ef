import { retryOnDeadlock, ensureIndexes, isDuplicateKey } from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';
import {
  createLifecycle,
  isUnclaimed,
  keptFields,
  keptIndexes,
  newlyReserved,
  storedAgain,
  type KeptBytes,
  type KeptRecord,
  type Lifecycle,
  type StoredReaders,
} from './lifecycle.js';

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

export interface PictureRepository extends Lifecycle<PictureRecord> {
  prepare(): Promise<void>;
  /** @returns its record, or that of an earlier call with this key */
  reserve(
    picture: Pick<PictureRecord, 'name' | 'storageKey' | 'kind'> & StoredReaders,
    now: Date,
  ): Promise<PictureRecord>;
  /** Restarts the time to be claimed. */
  renew(storageKey: string, now: Date): Promise<PictureRecord | null>;
  /** For the owning service. Claims a chat picture. */
  findForService(name: string): Promise<PictureRecord | null>;
}

export function createPictureRepository(connection: Connection): PictureRepository {
  const model = connection.model('Picture', schema);

  const renew: PictureRepository['renew'] = async (storageKey, now) => {
    const renewed = await model
      .findOneAndUpdate({ storageKey, ...isUnclaimed }, storedAgain(now), { returnDocument: 'after' })
      .lean<PictureRecord>();
    return renewed ?? model.findOne({ storageKey }).lean<PictureRecord>();
  };

  const lifecycle = createLifecycle<PictureRecord>(connection, 'Picture', (name) => [
    name,
    ...RENDITIONS.map((rendition) => pictureKey(name, rendition)),
  ]);

  return {
    ...lifecycle,
    prepare: () =>
      ensureIndexes(connection, PICTURES, [
        ...keptIndexes,
        { key: { storageKey: 1 }, name: 'storage_key', unique: true },
      ]),
    renew,
    async findForService(name) {
      const claimed = await model
        .findOneAndUpdate(
          { name, kind: 'chat', status: 'stored', ...isUnclaimed },
          { $set: { unclaimedSince: null } },
          { returnDocument: 'after' },
        )
        .lean<PictureRecord>();
      return claimed ?? lifecycle.findStored(name);
    },
    async reserve(picture, now) {
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
        await retryOnDeadlock(() => model.create(record));
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
