import { createBatcher, createTimedIds, endOfMinute, startOfMinuteIds } from '@najwa/common';
import { ensureIndexes, IN_BACKGROUND, insertEach, isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import { LIMITS } from '@najwa/proto/http';
import type { Connection, mongo } from 'mongoose';
import type { AccountKey } from '../store/message-record.js';
import type { IdPage, InboxState } from '../store/messages.js';

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

const unread = { readAt: null };

const visible = ({ accounts, hidden }: NotificationView) => ({
  account: { $in: accounts },
  isWithheld: { $ne: true as const },
  ...(hidden.length > 0 && { 'subject.kind': { $nin: [...hidden] } }),
});

export class NotificationRepository {
  readonly #collection;
  readonly #settings;
  readonly #nextId = createTimedIds();
  readonly #findOne = createBatcher<number, NotificationRecord | null>({
    runBatch: async (ids) => {
      const found = await this.#collection.find({ id: { $in: ids } }).toArray();
      const byId = new Map(found.map((one) => [one.id, one]));
      return ids.map((id) => byId.get(id) ?? null);
    },
  });
  readonly #insert = createBatcher<NotificationRecord, undefined>({
    runBatch: (documents) => insertEach(this.#collection as unknown as mongo.Collection, documents),
  });

  constructor(connection: Connection) {
    this.#collection = connection.collection<NotificationRecord>(COLLECTION);
    this.#settings = connection.collection<SettingsDocument>(SETTINGS);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#collection.conn, COLLECTION, [
      { key: { key: 1 }, name: 'key', unique: true },
      { key: { id: 1 }, name: 'id', unique: true },
      { key: { account: 1, id: -1 }, name: 'account' },
      { key: { account: 1, readAt: 1 }, name: 'account_by_read' },
      { key: { 'subject.messageId': 1 }, name: 'message', sparse: true },
      { key: { createdAt: 1 }, name: 'created_at' },
    ]);
  }
  nextId(account: AccountKey): Promise<number> {
    return Promise.resolve(this.#nextId(account));
  }
  /** @returns the id, or that of the notification with this key */
  async add(notification: Omit<NotificationRecord, 'createdAt'>): Promise<number> {
    let { id } = notification;
    for (let tries = 0; ; tries += 1)
      try {
        await retryOnDeadlock(() => this.#insert({ ...notification, id, createdAt: new Date() }));
        return id;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const earlier = await this.#collection.findOne({ key: notification.key });
        if (earlier !== null) return earlier.id;
        if (tries === MAX_TRIES) throw error;
        // Id collision with another account.
        id = this.#nextId(notification.account);
      }
  }
  /** Newest first. */
  list(view: NotificationView, { before, limit }: IdPage): Promise<NotificationRecord[]> {
    return this.#collection
      .find({ ...visible(view), ...(before !== undefined && { id: { $lt: before } }) })
      .sort({ id: -1 })
      .limit(limit)
      .toArray();
  }
  /** Since the minute of `after`, oldest first. */
  listAfter(view: NotificationView, after: number, limit: number): Promise<NotificationRecord[]> {
    return this.#collection
      .find({ ...visible(view), id: { $gt: startOfMinuteIds(after) } })
      .sort({ id: 1 })
      .limit(limit)
      .toArray();
  }
  async findEach({ accounts, hidden }: NotificationView, ids: number[]): Promise<NotificationRecord[]> {
    const found = await Promise.all(ids.map(this.#findOne));
    const seen = found.flatMap((one) =>
      one !== null && one.isWithheld !== true && accounts.includes(one.account) && !hidden.includes(one.subject.kind)
        ? [one]
        : [],
    );
    return seen.sort((a, b) => a.id - b.id);
  }
  /** Counts up to `LIMITS.unread`. */
  countUnread(view: NotificationView): Promise<number> {
    return this.#collection.countDocuments({ ...visible(view), ...unread }, { limit: LIMITS.unread });
  }
  async markRead(account: AccountKey, which: NotificationSelection, at: Date): Promise<boolean> {
    const selected =
      'ids' in which
        ? { id: { $in: which.ids } }
        : 'before' in which
          ? createdBy(which.before)
          : 'upTo' in which
            ? { id: { $lte: which.upTo } }
            : { 'subject.kind': { $in: which.kinds } };
    const { modifiedCount } = await retryOnDeadlock(() =>
      this.#collection.updateMany({ account, ...unread, ...selected }, { $set: { readAt: at } }),
    );
    return modifiedCount > 0;
  }
  /**
   * Synchronises a notification with its message.
   * @returns whether it changed
   */
  async follow(key: string, { isInInbox, isRead }: InboxState, at: Date): Promise<boolean> {
    const place = await (isInInbox
      ? this.#collection.updateOne({ key, isWithheld: true }, { $unset: { isWithheld: true } })
      : this.#collection.updateOne({ key, isWithheld: { $ne: true } }, { $set: { isWithheld: true } }));
    const reading = await (isRead
      ? this.#collection.updateOne({ key, ...unread }, { $set: { readAt: at, readWithMessage: true } })
      : this.#collection.updateOne(
          { key, readWithMessage: true },
          { $set: { readAt: null }, $unset: { readWithMessage: true } },
        ));
    return place.modifiedCount > 0 || reading.modifiedCount > 0;
  }
  removeByKey(key: string): Promise<NotificationRecord | null> {
    return this.#collection.findOneAndDelete({ key });
  }
  removeOfMessage(messageId: number): Promise<unknown> {
    return this.#collection.deleteMany({ 'subject.messageId': messageId });
  }
  removeOfAccounts(accounts: AccountKey[]): Promise<unknown> {
    return this.#collection.deleteMany({ account: { $in: accounts } }, IN_BACKGROUND);
  }
  removeOlderThan(before: Date): Promise<unknown> {
    return this.#collection.deleteMany({ createdAt: { $lt: before } }, IN_BACKGROUND);
  }
  async findHidden(userId: number): Promise<NotificationKind[]> {
    return (await this.#settings.findOne({ _id: userId }))?.hidden ?? [];
  }
  async changeHidden(
    userId: number,
    { hide, show }: { hide: NotificationKind[]; show: NotificationKind[] },
  ): Promise<void> {
    // The driver's types reject a union of literals.
    const change = async (update: object, options = {}): Promise<void> => {
      const filter = update as mongo.UpdateFilter<SettingsDocument>;
      await retryOnDeadlock(() => this.#settings.updateOne({ _id: userId }, filter, options));
    };
    if (show.length > 0) await change({ $pull: { hidden: { $in: show } } });
    if (hide.length > 0) await change({ $addToSet: { hidden: { $each: hide } } }, { upsert: true });
  }
  removeSettings(userId: number): Promise<unknown> {
    return this.#settings.deleteOne({ _id: userId });
  }
}
