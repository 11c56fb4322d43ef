import type { Device } from '@najwa/common';
import { ensureIndexes, IN_BACKGROUND, retryOnDeadlock } from '@najwa/common/mongo';
import type { NotificationKind, PushKind, QuietHours } from '@najwa/proto/http';
import type { Connection } from 'mongoose';
import { CONFLICT, retryOnConflict } from '../store/optimistic.js';

/** A notice that a browser has not got yet. There is at most one, whatever comes meanwhile. */
export interface PendingNotice {
  kinds: PushKind[];
  dueAt: Date;
  /** Failed ones. */
  attempts: number;
  /** It waited for the end of quiet hours. */
  isHeld: boolean;
  /** Set while a replica sends it. Another one may send it once `dueAt` has passed. */
  lease: string | null;
  /** Kinds that came while it was sent. */
  next: PushKind[];
}

/**
 * A browser that is told of what comes. Every id in it is an HMAC under the permanent data key, so that the database ties
 * neither accounts to the tags of senders, nor a browser to the messages that it sent.
 */
export interface PushSubscriptionRecord {
  /** Of the browser's address; for a way back of the message as well. */
  id: string;
  /** Of the keys of its account, or of the message. */
  owners: string[];
  /** Of the session with which it ends. Null for a way back. */
  session: string | null;
  /** `PushSecret`, sealed. */
  sealed: string;
  /** Of the push service. */
  host: string;
  kinds: NotificationKind[];
  quiet: QuietHours | null;
  language: 'ar' | 'en';
  device: Device;
  /** The day. */
  createdAt: Date;
  /** A day. */
  expiresAt: Date;
  /** Incremented by every change. */
  version: number;
  /** Marks of the last notifications that it was told of, so that none is told twice. */
  told: string[];
  /** False as long as nothing has answered at its address. */
  hasAnswered: boolean;
  /** No notice before this, so that a burst does not ring without end. */
  restUntil: Date | null;
  notice: PendingNotice | null;
}

type Document = Omit<PushSubscriptionRecord, 'id'> & { _id: string };
export type PushChanges = Partial<Omit<PushSubscriptionRecord, 'id' | 'owners' | 'version'>>;

const COLLECTION = 'push_subscriptions';

export interface PushSubscriptionRepository {
  prepare(): Promise<void>;
  /** Replaces one with the same id. */
  put(record: PushSubscriptionRecord): Promise<void>;
  find(id: string): Promise<PushSubscriptionRecord | null>;
  /** Those of any of these owners. */
  listOf(owners: readonly string[]): Promise<PushSubscriptionRecord[]>;
  /**
   * Changes what is stored now, however often others change it meanwhile.
   * @param decide returns null for no change
   * @returns the subscription after it; null if there is none
   */
  change(
    record: PushSubscriptionRecord,
    decide: (current: PushSubscriptionRecord) => PushChanges | null,
  ): Promise<PushSubscriptionRecord | null>;
  /** Takes notices that are due for one sender, until `leaseUntil`. */
  claim(options: {
    now: Date;
    leaseUntil: Date;
    lease: string;
    limit: number;
    withoutHosts: string[];
    withoutOwners: string[];
  }): Promise<PushSubscriptionRecord[]>;
  /** @returns whether there was one */
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
