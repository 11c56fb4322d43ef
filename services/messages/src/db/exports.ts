import { ensureIndexes, nextId } from '@najwa/common';
import type { Connection } from 'mongoose';

export interface ExportRecord {
  id: number;
  userId: number;
  expiresAt: Date;
}

const COLLECTION = 'exports';

/** Permissions to download a file with everything of an account. */
export interface ExportRepository {
  prepare(): Promise<void>;
  create(userId: number, expiresAt: Date): Promise<ExportRecord>;
  /** Null if it has expired, or is another account's. */
  find(id: number, userId: number): Promise<ExportRecord | null>;
  removeOf(userId: number): Promise<void>;
  forgetOld(now: Date): Promise<void>;
}

export function createExportRepository(connection: Connection): ExportRepository {
  const collection = connection.collection<ExportRecord>(COLLECTION);
  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { id: 1 }, name: 'id', unique: true },
        { key: { userId: 1 }, name: 'user_id' },
        { key: { expiresAt: 1 }, name: 'expires_at', expireAfterSeconds: 0 },
      ]),
    async create(userId, expiresAt) {
      const record = { id: await nextId(connection, COLLECTION), userId, expiresAt };
      await collection.insertOne({ ...record });
      return record;
    },
    find: (id, userId) => collection.findOne({ id, userId, expiresAt: { $gt: new Date() } }),
    async removeOf(userId) {
      await collection.deleteMany({ userId });
    },
    async forgetOld(now) {
      await collection.deleteMany({ expiresAt: { $lte: now } });
    },
  };
}
