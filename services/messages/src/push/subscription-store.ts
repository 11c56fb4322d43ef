import type { Device } from '@najwa/common';
import { ensureIndexes, IN_BACKGROUND, retryOnDeadlock } from '@najwa/common/mongo';
import type { NotificationKind, PushKind, QuietHours } from '@najwa/proto/http';
import type { Connection } from 'mongoose';
import { CONFLICT, retryOnConflict } from '../store/optimistic.js';

/** At most one per browser. */
export interface PendingNotice {
  kinds: PushKind[];
  dueAt: Date;
  attempts: number;
  /** Waited for the end of quiet hours. */
  isHeld: boolean;
  /** Set while being sent. Another replica may retry after `dueAt`. */
  lease: string | null;
  /** Kinds queued while sending. */
  next: PushKind[];
}

/** HMACs under the permanent data key, so that ids link neither accounts to sender tags nor browsers to messages. */
export interface PushSubscriptionRecord {
  /** Of the endpoint; for a way back also of the message. */
  id: string;
  /** Of the account's keys, or of the message. */
  owners: string[];
  /** Ends with the session. Null for a way back. */
  session: string | null;
  /** `PushSecret`, sealed. */
  sealed: string;
  host: string;
  kinds: NotificationKind[];
  quiet: QuietHours | null;
  language: 'ar' | 'en';
  device: Device;
  /** Day precision. */
  createdAt: Date;
  /** Day precision. */
  expiresAt: Date;
  version: number;
  /** Deduplication marks of recent notifications. */
  told: string[];
  /** False until the endpoint answers once. */
  hasAnswered: boolean;
  /** Spaces out notices in a burst. */
  restUntil: Date | null;
  notice: PendingNotice | null;
}

type Document = Omit<PushSubscriptionRecord, 'id'> & { _id: string };
export type PushChanges = Partial<Omit<PushSubscriptionRecord, 'id' | 'owners' | 'version'>>;

interface Claim {
  now: Date;
  leaseUntil: Date;
  lease: string;
  limit: number;
  withoutHosts: string[];
  withoutOwners: string[];
}

const COLLECTION = 'push_subscriptions';

const recordOf = ({ _id, ...rest }: Document): PushSubscriptionRecord => ({ id: _id, ...rest });

export class PushSubscriptionRepository {
  readonly #collection;

  constructor(connection: Connection) {
    this.#collection = connection.collection<Document>(COLLECTION);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#collection.conn, COLLECTION, [
      { key: { owners: 1 }, name: 'owners' },
      { key: { session: 1 }, name: 'session' },
      { key: { 'notice.dueAt': 1 }, name: 'due', sparse: true },
      { key: { expiresAt: 1 }, name: 'expires_at' },
    ]);
  }
  /** Upsert. */
  async put({ id, ...record }: PushSubscriptionRecord): Promise<void> {
    await retryOnDeadlock(() => this.#collection.replaceOne({ _id: id }, record, { upsert: true }));
  }
  async find(id: string): Promise<PushSubscriptionRecord | null> {
    const found = await this.#collection.findOne({ _id: id });
    return found && recordOf(found);
  }
  async listOf(owners: readonly string[]): Promise<PushSubscriptionRecord[]> {
    return (await this.#collection.find({ owners: { $in: [...owners] } }).toArray()).map(recordOf);
  }
  /**
   * Optimistic locking: `decide` runs again after a conflict.
   * @param decide returns null for no change
   */
  change(
    record: PushSubscriptionRecord,
    decide: (current: PushSubscriptionRecord) => PushChanges | null,
  ): Promise<PushSubscriptionRecord | null> {
    let current: PushSubscriptionRecord | null = record;
    return retryOnConflict('The subscription is', async () => {
      if (current === null) return null;
      const changes = decide(current);
      if (changes === null) return current;
      const { id, version } = current;
      const next = { ...changes, version: version + 1 };
      const { matchedCount } = await retryOnDeadlock(() =>
        this.#collection.updateOne({ _id: id, version }, { $set: next }),
      );
      if (matchedCount > 0) return { ...current, ...next };
      current = await this.find(id);
      return CONFLICT;
    });
  }
  /** Leases due notices until `leaseUntil`. */
  async claim({
    now,
    leaseUntil,
    lease,
    limit,
    withoutHosts,
    withoutOwners,
  }: Claim): Promise<PushSubscriptionRecord[]> {
    const due = { 'notice.dueAt': { $lte: now } };
    const found = await this.#collection
      .find({
        ...due,
        ...(withoutHosts.length > 0 && { host: { $nin: withoutHosts } }),
        ...(withoutOwners.length > 0 && { owners: { $nin: withoutOwners } }),
      })
      .sort({ 'notice.dueAt': 1 })
      .limit(limit)
      .project<Pick<Document, '_id'>>({ _id: 1 })
      .toArray();
    if (found.length === 0) return [];
    const ids = { _id: { $in: found.map(({ _id }) => _id) } };
    await retryOnDeadlock(() =>
      this.#collection.updateMany(
        { ...ids, ...due },
        { $set: { 'notice.dueAt': leaseUntil, 'notice.lease': lease }, $inc: { version: 1 } },
      ),
    );
    return (await this.#collection.find({ ...ids, 'notice.lease': lease }).toArray()).map(recordOf);
  }
  async remove(id: string, owner?: string): Promise<boolean> {
    const owned = owner !== undefined && { owners: owner };
    const { deletedCount } = await this.#collection.deleteOne({ _id: id, ...owned });
    return deletedCount > 0;
  }
  async removeOf(owner: string): Promise<void> {
    await this.#collection.deleteMany({ owners: owner });
  }
  async removeOfSession(session: string): Promise<void> {
    await this.#collection.deleteMany({ session });
  }
  async removeExpired(now: Date): Promise<void> {
    await this.#collection.deleteMany({ expiresAt: { $lte: now } }, IN_BACKGROUND);
  }
}
