import { ensureIndexes, retryOnDeadlock } from '@najwa/common/mongo';
import type { Connection } from 'mongoose';

/** A large file that another service sealed and stores in parts, for a short time. */
export interface ArchiveRecord {
  name: string;
  /** Deleted with this account. */
  ownerId: number;
  /** The store may hold parts with a lower index. */
  parts: number;
  expiresAt: Date;
}

const COLLECTION = 'archives';

export interface ArchiveRepository {
  prepare(): Promise<void>;
  /** Notes a part before its bytes are stored, so that there are never bytes without a record. */
  reserve(archive: Omit<ArchiveRecord, 'parts'>, index: number): Promise<void>;
  find(name: string): Promise<ArchiveRecord | null>;
  findOf(ownerId: number): Promise<ArchiveRecord[]>;
  findExpired(now: Date, limit: number): Promise<ArchiveRecord[]>;
  /** Only with as many parts: another one may have come while these were removed. */
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
