import { createBatcher, createTimedIds, endOfMinute, startOfMinuteIds } from '@najwa/common';
import { ensureIndexes, IN_BACKGROUND, insertEach, isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import { LIMITS } from '@najwa/proto/http';
import type { Connection, mongo } from 'mongoose';
import type { AccountKey } from '../store/message-record.js';

export type NotificationSubject =
  | { kind: 'message'; messageId: number }
  | { kind: 'reply'; messageId: number }
  | { kind: 'report'; reportId: number; outcome: 'dismissed' | 'removed' | 'acted' }
  | { kind: 'visits'; visits: number };

export type NotificationKind = NotificationSubject['kind'];

export interface NotificationRecord {
  id: number;
  /** A sender's tag for replies. */
  account: AccountKey;
  /** Idempotency key, derived from the event. */
  key: string;
  subject: NotificationSubject;
  createdAt: Date;
  readAt: Date | null;
  /** Read through its message. */
  readWithMessage?: true;
  /** Hidden while its message is outside the inbox. */
  isWithheld?: true;
}

interface SettingsDocument {
  _id: number;
  hidden: NotificationKind[];
}

export interface NotificationView {
  accounts: AccountKey[];
  hidden: readonly NotificationKind[];
}

const COLLECTION = 'notifications';
const SETTINGS = 'notification_settings';
const MAX_TRIES = 5;

export type NotificationSelection =
  | { ids: number[] }
  | { upTo: number }
  | { before: Date }
  | { kinds: NotificationKind[] };

/** Messages match by the minute shown: by second, the recipient could probe the exact time through the unread count. */
const createdBy = (time: Date): mongo.Filter<NotificationRecord> => ({
  $or: [
    { 'subject.kind': 'message', createdAt: { $lt: endOfMinute(time) } },
    { 'subject.kind': { $ne: 'message' }, createdAt: { $lte: time } },
  ],
});

export interface NotificationRepository {
  prepare(): Promise<void>;
  nextId(account: AccountKey): Promise<number>;
  /** @returns the id, or that of the notification with this key */
  add(notification: Omit<NotificationRecord, 'createdAt'>): Promise<number>;
  /** Newest first. */
  list(view: NotificationView, page: { before: number | undefined; limit: number }): Promise<NotificationRecord[]>;
  /** Since the minute of `after`, oldest first. */
  listAfter(view: NotificationView, after: number, limit: number): Promise<NotificationRecord[]>;
  findEach(view: NotificationView, ids: number[]): Promise<NotificationRecord[]>;
  /** Counts up to `LIMITS.unread`. */
  countUnread(view: NotificationView): Promise<number>;
  markRead(account: AccountKey, which: NotificationSelection, at: Date): Promise<boolean>;
  /**
   * Synchronises a notification with its message.
   * @returns whether it changed
   */
  follow(key: string, message: { isInInbox: boolean; isRead: boolean }, at: Date): Promise<boolean>;
  removeByKey(key: string): Promise<NotificationRecord | null>;
  removeOfMessage(messageId: number): Promise<unknown>;
  removeOfAccounts(accounts: AccountKey[]): Promise<unknown>;
  removeOlderThan(before: Date): Promise<unknown>;
  findHidden(userId: number): Promise<NotificationKind[]>;
  changeHidden(userId: number, change: { hide: NotificationKind[]; show: NotificationKind[] }): Promise<void>;
  removeSettings(userId: number): Promise<unknown>;
}

export function createNotificationRepository(connection: Connection): NotificationRepository {
  const collection = connection.collection<NotificationRecord>(COLLECTION);
  const settings = connection.collection<SettingsDocument>(SETTINGS);
  const nextId = createTimedIds();
  const unread = { readAt: null };
  const visible = ({ accounts, hidden }: NotificationView) => ({
    account: { $in: accounts },
    isWithheld: { $ne: true as const },
    ...(hidden.length > 0 && { 'subject.kind': { $nin: [...hidden] } }),
  });
  const findOne = createBatcher<number, NotificationRecord | null>({
    runBatch: async (ids) => {
      const found = await collection.find({ id: { $in: ids } }).toArray();
      const byId = new Map(found.map((one) => [one.id, one]));
      return ids.map((id) => byId.get(id) ?? null);
    },
  });
  const insert = createBatcher<NotificationRecord, undefined>({
    runBatch: (documents) => insertEach(collection as unknown as mongo.Collection, documents),
  });

  return {
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { key: 1 }, name: 'key', unique: true },
        { key: { id: 1 }, name: 'id', unique: true },
        { key: { account: 1, id: -1 }, name: 'account' },
        { key: { account: 1, readAt: 1 }, name: 'account_by_read' },
        { key: { 'subject.messageId': 1 }, name: 'message', sparse: true },
        { key: { createdAt: 1 }, name: 'created_at' },
      ]),
    nextId: (account) => Promise.resolve(nextId(account)),
    async add(notification) {
      let { id } = notification;
      for (let tries = 0; ; tries += 1)
        try {
          await retryOnDeadlock(() => insert({ ...notification, id, createdAt: new Date() }));
          return id;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          const earlier = await collection.findOne({ key: notification.key });
          if (earlier !== null) return earlier.id;
          if (tries === MAX_TRIES) throw error;
          // Id collision with another account.
          id = nextId(notification.account);
        }
    },
    list: (view, { before, limit }) =>
      collection
        .find({ ...visible(view), ...(before !== undefined && { id: { $lt: before } }) })
        .sort({ id: -1 })
        .limit(limit)
        .toArray(),
    listAfter: (view, after, limit) =>
      collection
        .find({ ...visible(view), id: { $gt: startOfMinuteIds(after) } })
        .sort({ id: 1 })
        .limit(limit)
        .toArray(),
    async findEach({ accounts, hidden }, ids) {
      const found = await Promise.all(ids.map(findOne));
      const seen = found.flatMap((one) =>
        one !== null && one.isWithheld !== true && accounts.includes(one.account) && !hidden.includes(one.subject.kind)
          ? [one]
          : [],
      );
      return seen.sort((a, b) => a.id - b.id);
    },
    countUnread: (view) => collection.countDocuments({ ...visible(view), ...unread }, { limit: LIMITS.unread }),
    async markRead(account, which, at) {
      const selected =
        'ids' in which
          ? { id: { $in: which.ids } }
          : 'before' in which
            ? createdBy(which.before)
            : 'upTo' in which
              ? { id: { $lte: which.upTo } }
              : { 'subject.kind': { $in: which.kinds } };
      const { modifiedCount } = await retryOnDeadlock(() =>
        collection.updateMany({ account, ...unread, ...selected }, { $set: { readAt: at } }),
      );
      return modifiedCount > 0;
    },
    async follow(key, { isInInbox, isRead }, at) {
      const place = await (isInInbox
        ? collection.updateOne({ key, isWithheld: true }, { $unset: { isWithheld: true } })
        : collection.updateOne({ key, isWithheld: { $ne: true } }, { $set: { isWithheld: true } }));
      const reading = await (isRead
        ? collection.updateOne({ key, ...unread }, { $set: { readAt: at, readWithMessage: true } })
        : collection.updateOne(
            { key, readWithMessage: true },
            { $set: { readAt: null }, $unset: { readWithMessage: true } },
          ));
      return place.modifiedCount > 0 || reading.modifiedCount > 0;
    },
    removeByKey: (key) => collection.findOneAndDelete({ key }),
    removeOfMessage: (messageId) => collection.deleteMany({ 'subject.messageId': messageId }),
    removeOfAccounts: (accounts) => collection.deleteMany({ account: { $in: accounts } }, IN_BACKGROUND),
    removeOlderThan: (before) => collection.deleteMany({ createdAt: { $lt: before } }, IN_BACKGROUND),
    findHidden: async (userId) => (await settings.findOne({ _id: userId }))?.hidden ?? [],
    async changeHidden(userId, { hide, show }) {
      // The driver's types reject a union of literals.
      const change = async (update: object, options = {}): Promise<void> => {
        const filter = update as mongo.UpdateFilter<SettingsDocument>;
        await retryOnDeadlock(() => settings.updateOne({ _id: userId }, filter, options));
      };
      if (show.length > 0) await change({ $pull: { hidden: { $in: show } } });
      if (hide.length > 0) await change({ $addToSet: { hidden: { $each: hide } } }, { upsert: true });
    },
    removeSettings: (userId) => settings.deleteOne({ _id: userId }),
  };
}
