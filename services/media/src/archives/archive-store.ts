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

export class ArchiveRepository {
  readonly #collection;

  constructor(private readonly connection: Connection) {
    this.#collection = connection.collection<ArchiveRecord>(COLLECTION);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.connection, COLLECTION, [
      { key: { name: 1 }, name: 'name', unique: true },
      { key: { ownerId: 1 }, name: 'owner_id' },
      { key: { expiresAt: 1 }, name: 'expires_at' },
    ]);
  }
  /** Before the bytes are stored, so that no bytes lack a record. */
  async reserve({ name, ownerId, expiresAt }: Omit<ArchiveRecord, 'parts'>, index: number): Promise<void> {
    await retryOnDeadlock(() =>
      this.#collection.updateOne(
        { name },
        { $setOnInsert: { ownerId, expiresAt }, $max: { parts: index + 1 } },
        { upsert: true },
      ),
    );
  }
  find(name: string): Promise<ArchiveRecord | null> {
    return this.#collection.findOne({ name });
  }
  findOf(ownerId: number): Promise<ArchiveRecord[]> {
    return this.#collection.find({ ownerId }).toArray();
  }
  findExpired(now: Date, limit: number): Promise<ArchiveRecord[]> {
    return this.#collection
      .find({ expiresAt: { $lte: now } })
      .limit(limit)
      .toArray();
  }
  /** Only if the number of parts is unchanged: one may have arrived meanwhile. */
  async forget({ name, parts }: ArchiveRecord): Promise<void> {
    await this.#collection.deleteOne({ name, parts });
  }
}
