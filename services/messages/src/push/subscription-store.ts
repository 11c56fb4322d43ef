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

const COLLECTION = 'push_subscriptions';

export interface PushSubscriptionRepository {
  prepare(): Promise<void>;
  /** Upsert. */
  put(record: PushSubscriptionRecord): Promise<void>;
  find(id: string): Promise<PushSubscriptionRecord | null>;
  listOf(owners: readonly string[]): Promise<PushSubscriptionRecord[]>;
  /**
   * Optimistic locking: `decide` runs again after a conflict.
   * @param decide returns null for no change
   */
  change(
    record: PushSubscriptionRecord,
    decide: (current: PushSubscriptionRecord) => PushChanges | null,
  ): Promise<PushSubscriptionRecord | null>;
  /** Leases due notices until `leaseUntil`. */
  claim(options: {
    now: Date;
    leaseUntil: Date;
    lease: string;
    limit: number;
    withoutHosts: string[];
    withoutOwners: string[];
  }): Promise<PushSubscriptionRecord[]>;
  remove(id: string, owner?: string): Promise<boolean>;
  removeOf(owner: string): Promise<void>;
  removeOfSession(session: string): Promise<void>;
  removeExpired(now: Date): Promise<void>;
}

export function createPushSubscriptionRepository(connection: Connection): PushSubscriptionRepository {
  const collection = connection.collection<Document>(COLLECTION);
  const recordOf = ({ _id, ...rest }: Document): PushSubscriptionRecord => ({ id: _id, ...rest });
  const find = async (id: string): Promise<PushSubscriptionRecord | null> => {
    const found = await collection.findOne({ _id: id });
    return found && recordOf(found);
  };

  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { owners: 1 }, name: 'owners' },
        { key: { session: 1 }, name: 'session' },
        { key: { 'notice.dueAt': 1 }, name: 'due', sparse: true },
        { key: { expiresAt: 1 }, name: 'expires_at' },
      ]),
    async put({ id, ...record }) {
      await retryOnDeadlock(() => collection.replaceOne({ _id: id }, record, { upsert: true }));
    },
    find,
    listOf: async (owners) => (await collection.find({ owners: { $in: [...owners] } }).toArray()).map(recordOf),
    change(record, decide) {
      let current: PushSubscriptionRecord | null = record;
      return retryOnConflict('The subscription is', async () => {
        if (current === null) return null;
        const changes = decide(current);
        if (changes === null) return current;
        const { id, version } = current;
        const next = { ...changes, version: version + 1 };
        const { matchedCount } = await retryOnDeadlock(() =>
          collection.updateOne({ _id: id, version }, { $set: next }),
        );
        if (matchedCount > 0) return { ...current, ...next };
        current = await find(id);
        return CONFLICT;
      });
    },
    async claim({ now, leaseUntil, lease, limit, withoutHosts, withoutOwners }) {
      const due = { 'notice.dueAt': { $lte: now } };
      const found = await collection
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
        collection.updateMany(
          { ...ids, ...due },
          { $set: { 'notice.dueAt': leaseUntil, 'notice.lease': lease }, $inc: { version: 1 } },
        ),
      );
      return (await collection.find({ ...ids, 'notice.lease': lease }).toArray()).map(recordOf);
    },
    async remove(id, owner) {
      const { deletedCount } = await collection.deleteOne({ _id: id, ...(owner !== undefined && { owners: owner }) });
      return deletedCount > 0;
    },
    async removeOf(owner) {
      await collection.deleteMany({ owners: owner });
    },
    async removeOfSession(session) {
      await collection.deleteMany({ session });
    },
    async removeExpired(now) {
      await collection.deleteMany({ expiresAt: { $lte: now } }, IN_BACKGROUND);
    },
  };
}
