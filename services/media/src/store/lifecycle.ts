import { IN_BACKGROUND } from '@najwa/common/mongo';
import type { Connection, Model, mongo, Schema } from 'mongoose';

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

export class Lifecycle<Kept extends KeptRecord> {
  protected readonly model: Model<Kept>;
  readonly #model: Model<KeptRecord>;

  /** @param schema with `keptFields` */
  constructor(connection: Connection, name: string, schema: Schema<Kept>) {
    this.model = connection.model<Kept>(name, schema);
    this.#model = connection.model<KeptRecord>(name);
  }

  /** All keys that may hold its bytes. */
  keysOf(name: string): string[] {
    return [name];
  }
  /** Marks the bytes as stored. @returns the current record */
  async complete(name: string, facts: KeptBytes & Partial<Omit<Kept, keyof KeptRecord>>): Promise<Kept | null> {
    const completed = await this.#model
      .findOneAndUpdate(
        { name, status: 'storing' },
        { $set: { status: 'stored', ...facts } },
        { returnDocument: 'after' },
      )
      .lean<Kept>();
    return completed ?? this.#findOne({ name });
  }
  findStored(name: string): Promise<Kept | null> {
    return this.#findOne({ name, status: 'stored' });
  }
  /** Claims the file, unless a later revision is applied. */
  async applyState(name: string, { isPublic, isReported = false, revision }: MediaState): Promise<void> {
    await this.#model.updateOne(
      { name, status: 'stored', revision: { $lt: revision } },
      { $set: { isPublic, isReported, revision, unclaimedSince: null } },
    );
  }
  /** For moderators, after its message was deleted. */
  async keepAsEvidence(name: string, revision: number): Promise<void> {
    await this.#model.updateOne(
      { name, status: 'stored', revision: { $lt: revision } },
      { $set: { isPublic: false, isReported: true, ...NO_READERS, revision, unclaimedSince: null } },
    );
  }
  /** @returns whether bytes remain to be removed */
  async beginRemoval(name: string, revision: number, now: Date): Promise<boolean> {
    await this.#model.updateOne(
      { name, status: { $in: ['storing', 'stored'] } },
      { $set: { status: 'removing', isPublic: false, ...NO_READERS, revision, unclaimedSince: null, endedAt: now } },
    );
    return (await this.#findOne({ name, status: 'removing' })) !== null;
  }
  /** Frees the storage key for a later upload. */
  async finishRemoval(name: string): Promise<void> {
    const storageKey = `removed ${name}`;
    await this.#model.updateOne({ name, status: 'removing' }, { $set: { status: 'removed', storageKey } });
  }
  async abandonUnclaimed({ kinds, since, now, limit }: Unclaimed<Kept>): Promise<number> {
    const late = { kind: { $in: kinds }, unclaimedSince: { $gt: ANY_TIME, $lt: since } };
    const found = await this.#model
      .find(late, { name: 1 })
      .sort({ unclaimedSince: 1 })
      .limit(limit)
      .lean<Pick<KeptRecord, 'name'>[]>();
    // Repeats the condition, in case an event claimed one meanwhile.
    await this.#model.updateMany(
      { name: { $in: found.map(({ name }) => name) }, ...late },
      { $set: { status: 'abandoned', unclaimedSince: null, endedAt: now } },
    );
    return found.length;
  }
  /** Counts at most `limit`. */
  countUnclaimed({ kinds, since }: Pick<Unclaimed<Kept>, 'kinds' | 'since'>, limit: number): Promise<number> {
    return this.#model
      .countDocuments({ kind: { $in: kinds }, unclaimedSince: { $gt: ANY_TIME, $lt: since } })
      .limit(limit);
  }
  estimateTotal(): Promise<number> {
    return this.#model.estimatedDocumentCount();
  }
  /** @returns names not asked for lately */
  async beginAsking({ kinds, since, now, limit }: Unclaimed<Kept>, askAgainBefore: Date): Promise<string[]> {
    const found = await this.#model
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
    await this.#model.updateMany(
      { name: { $in: names }, unclaimedSince: { $gt: ANY_TIME, $lt: since } },
      { $set: { askedAt: now } },
    );
    return names;
  }
  async abandonReleased(names: readonly string[], now: Date): Promise<void> {
    await this.#model.updateMany(
      { name: { $in: names }, unclaimedSince: { $gt: ANY_TIME }, askedAt: { $gt: ANY_TIME } },
      { $set: { status: 'abandoned', unclaimedSince: null, endedAt: now } },
    );
  }
  async findNames(status: 'removing' | 'abandoned', limit: number): Promise<string[]> {
    const found = await this.#model
      .find({ status }, { name: 1 })
      .sort({ endedAt: 1 })
      .limit(limit)
      .lean<Pick<KeptRecord, 'name'>[]>();
    return found.map(({ name }) => name);
  }
  async forget(name: string): Promise<void> {
    await this.#model.deleteOne({ name, status: 'abandoned' });
  }
  async forgetRemoved(before: Date): Promise<void> {
    await this.#model.deleteMany({ status: 'removed', endedAt: { $lt: before } }, IN_BACKGROUND);
  }

  #findOne(filter: Partial<KeptRecord>): Promise<Kept | null> {
    return this.#model.findOne(filter).lean<Kept>();
  }
}
