import { ensureIndexes, retryOnDeadlock } from '@najwa/common/mongo';
import type { Connection } from 'mongoose';

/** A large, short-lived file that another service seals and stores in parts. */
export interface ArchiveRecord {
  name: string;
  /** Deleted with this account. */
  ownerId: number;
  /** Upper bound of the indexes stored. */
  parts: number;
  expiresAt: Date;
}

const COLLECTION = 'archives';

export interface ArchiveRepository {
  prepare(): Promise<void>;
  /** Before the bytes are stored, so that no bytes lack a record. */
  reserve(archive: Omit<ArchiveRecord, 'parts'>, index: number): Promise<void>;
  find(name: string): Promise<ArchiveRecord | null>;
  findOf(ownerId: number): Promise<ArchiveRecord[]>;
  findExpired(now: Date, limit: number): Promise<ArchiveRecord[]>;
  /** Only if the number of parts is unchanged: one may have arrived meanwhile. */
  forget(archive: ArchiveRecord): Promise<void>;
}

export function createArchiveRepository(connection: Connection): ArchiveRepository {
  const collection = connection.collection<ArchiveRecord>(COLLECTION);
  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { name: 1 }, name: 'name', unique: true },
        { key: { ownerId: 1 }, name: 'owner_id' },
        { key: { expiresAt: 1 }, name: 'expires_at' },
      ]),
    async reserve({ name, ownerId, expiresAt }, index) {
      await retryOnDeadlock(() =>
        collection.updateOne(
          { name },
          { $setOnInsert: { ownerId, expiresAt }, $max: { parts: index + 1 } },
          { upsert: true },
        ),
      );
    },
    find: (name) => collection.findOne({ name }),
    findOf: (ownerId) => collection.find({ ownerId }).toArray(),
    findExpired: (now, limit) =>
      collection
        .find({ expiresAt: { $lte: now } })
        .limit(limit)
        .toArray(),
    async forget({ name, parts }) {
      await collection.deleteOne({ name, parts });
    },
  };
}
