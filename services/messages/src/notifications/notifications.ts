import { randomUUID } from 'node:crypto';
import { createBatcher } from '@najwa/common';
import { createEvent, type EventBus } from '@najwa/common/amqp';
import type { Logger } from '@najwa/common/logging';
import type { User } from '@najwa/proto/auth';
import type { MessageState, ReportDecided } from '@najwa/proto/events';
import { NOTIFICATION_KINDS, RETENTION, type KindsChange, type NotificationKind } from '@najwa/proto/http';
import type { AuthClient } from '../clients/auth.js';
import { outcomeOf } from '../moderation/events.js';
import type { ReportRepository } from '../moderation/report-store.js';
import { asSent, excerptOf, type AccountKey } from '../store/message-record.js';
import type { InboxState, MessageRepository } from '../store/messages.js';
import type { SenderVault } from '../store/sender-vault.js';
import type {
  NotificationRecord,
  NotificationRepository,
  NotificationSelection,
  NotificationView,
} from './notification-store.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const MAX_MISSED = 100;

const keyOfMessage = (messageId: number): string => `message ${messageId}`;

/** @returns the id, or that of an earlier delivery of the event */
async function store(
  { notifications }: NotificationsDeps,
  notification: Pick<NotificationRecord, 'account' | 'key' | 'subject'>,
): Promise<number> {
  return notifications.add({ ...notification, id: await notifications.nextId(notification.account), readAt: null });
}

/** Delivers a notification. Resolves once it is durable. Idempotent. */
export type DeliverNotification = (notification: {
  id: number;
  account: string;
  kind: NotificationKind;
}) => Promise<void>;

export interface NotificationsDeps {
  messages: MessageRepository;
  notifications: NotificationRepository;
  reports: ReportRepository;
  senders: SenderVault;
  auth: AuthClient;
  bus: EventBus;
  notifyStreams: DeliverNotification;
  /** Push to closed browsers. */
  notifyBrowsers: DeliverNotification;
  logger: Logger;
}

/** Batches by account and kind, because every gateway receives every event. */
export function createStreamNotifier(bus: EventBus): DeliverNotification {
  return createBatcher<Parameters<DeliverNotification>[0], undefined>({
    runBatch: async (notifications) => {
      const events = new Map<string, { account: string; kind: string; notificationId: number; furtherIds: number[] }>();
      for (const { id, account, kind } of notifications) {
        const value = events.get(`${kind} ${account}`);
        if (value) value.furtherIds.push(id);
        else events.set(`${kind} ${account}`, { account, kind, notificationId: id, furtherIds: [] });
      }
      await bus.publish(
        [...events.values()].map((value) => createEvent(randomUUID(), { $case: 'notificationCreated', value })),
      );
      return notifications.map(() => undefined);
    },
  });
}

async function announce(
  { notifyStreams, notifyBrowsers }: NotificationsDeps,
  id: number,
  { account, subject: { kind } }: Pick<NotificationRecord, 'account' | 'subject'>,
): Promise<void> {
  const notification = { id, account: String(account), kind };
  await Promise.all([notifyStreams(notification), notifyBrowsers(notification)]);
}

/** The causing event is settled after both, so a crash repeats them and no outbox is needed. */
async function add(
  deps: NotificationsDeps,
  notification: Pick<NotificationRecord, 'account' | 'key' | 'subject'>,
): Promise<void> {
  await announce(deps, await store(deps, notification), notification);
}

export async function notifyOfMessage(
  deps: NotificationsDeps,
  { id: messageId, userId: account }: Pick<MessageState, 'id' | 'userId'>,
): Promise<void> {
  const subject = { kind: 'message' as const, messageId };
  const id = await store(deps, { account, key: keyOfMessage(messageId), subject });
  // Read after storing, so that no event that changes the message is missed.
  const message = await deps.messages.findInboxState(messageId);
  if (message?.isInInbox === true && !message.isRead) await announce(deps, id, { account, subject });
  else await bringInLine(deps, messageId, message);
}

/** The sender's reply notification is unaffected. */
export const followMessage = async (deps: NotificationsDeps, messageId: number): Promise<void> =>
  bringInLine(deps, messageId, await deps.messages.findInboxState(messageId));

async function withdraw(deps: NotificationsDeps, key: string): Promise<void> {
  const removed = await deps.notifications.removeByKey(key);
  if (removed?.readAt === null && removed.isWithheld !== true && typeof removed.account === 'number')
    await announceRead(deps, removed.account);
}

async function bringInLine(deps: NotificationsDeps, messageId: number, message: InboxState | null): Promise<void> {
  const { notifications } = deps;
  const key = keyOfMessage(messageId);
  if (message === null) await withdraw(deps, key);
  else if (await notifications.follow(key, message, new Date())) await announceRead(deps, message.userId);
}

/** Skips a sender who hid the message. A second reply replaces the first. */
export async function notifyOfReply(deps: NotificationsDeps, messageId: number): Promise<void> {
  const account = await findAnswered(deps, messageId);
  if (account === null) return;
  const notification = { account, key: `reply ${messageId}`, subject: { kind: 'reply' as const, messageId } };
  const id = await store(deps, notification);
  // The message may have been deleted meanwhile.
  if ((await findAnswered(deps, messageId)) === null) await withdraw(deps, notification.key);
  else await announce(deps, id, notification);
}

async function findAnswered({ messages }: NotificationsDeps, messageId: number): Promise<string | null> {
  const message = await messages.find(messageId);
  return message?.reply == null || message.hiddenFromSender ? null : message.sender;
}

/** A reversed decision removes its notification. */
export async function notifyOfDecision(deps: NotificationsDeps, { actionId, reporters }: ReportDecided): Promise<void> {
  const report = await deps.reports.findByAction(actionId);
  const outcome = outcomeOf(report?.actions.find(({ id }) => id === actionId));
  // Accounts deleted meanwhile are no longer named.
  const isNamed = (userId: number, reportId: number): boolean =>
    report?.entries.some(({ id, reporterId }) => id === reportId && reporterId === userId) === true;
  for (const { userId, reportId } of reporters) {
    const key = `report ${reportId} ${actionId}`;
    if (outcome === null) await withdraw(deps, key);
    else if (isNamed(userId, reportId))
      await add(deps, { account: userId, key, subject: { kind: 'report', reportId, outcome } });
  }
}

export async function notifyOfVisits(deps: NotificationsDeps, userId: number, visits: number): Promise<void> {
  // The account may be deleted by now.
  if ((await deps.auth.findUser(userId)) === undefined) return;
  await add(deps, { account: userId, key: `visits ${userId} ${visits}`, subject: { kind: 'visits', visits } });
}

export interface ShownNotification {
  notification: NotificationRecord;
  reply?: { messageId: number; username: string; excerpt: string };
}

/** Drops notifications whose message or account is gone. */
async function show({ messages, auth }: NotificationsDeps, found: NotificationRecord[]): Promise<ShownNotification[]> {
  const answered = found.flatMap(({ subject }) => (subject.kind === 'reply' ? [subject.messageId] : []));
  const messageById = new Map((await messages.findEach(answered)).map((message) => [message.id, message]));
  const recipients = [...new Set([...messageById.values()].map(({ userId }) => userId))];
  const recipientById = new Map<number, User>((await auth.findUsers(recipients)).map((user) => [user.id, user]));
  return found.flatMap((notification) => {
    const { subject } = notification;
    if (subject.kind !== 'reply') return [{ notification }];
    const message = messageById.get(subject.messageId);
    const recipient = message && recipientById.get(message.userId);
    return message && recipient
      ? [
          {
            notification,
            reply: {
              messageId: asSent(message).id,
              username: recipient.username,
              excerpt: excerptOf(message.content),
            },
          },
        ]
      : [];
  });
}

/** @returns also `found`, since some of it may not be shown */
export async function listNotifications(
  deps: NotificationsDeps,
  userId: number,
  page: { before: number | undefined; limit: number },
): Promise<{ found: NotificationRecord[]; shown: ShownNotification[] }> {
  const found = await deps.notifications.list(await viewOf(deps, userId), page);
  return { found, shown: await show(deps, found) };
}

export const countUnread = async (deps: NotificationsDeps, userId: number): Promise<number> =>
  deps.notifications.countUnread(await viewOf(deps, userId));

/** @returns the unread count */
export async function readNotifications(
  deps: NotificationsDeps,
  userId: number,
  which: NotificationSelection,
): Promise<number> {
  const now = Date.now();
  const view = await viewOf(deps, userId);
  const changed = await Promise.all(
    view.accounts.map((key) => {
      // Equal times would link the account to its sender tag.
      const at = typeof key === 'number' ? now : now - (now % DAY_MS);
      return deps.notifications.markRead(key, which, new Date(at));
    }),
  );
  if (changed.includes(true)) await announceRead(deps, userId);
  return deps.notifications.countUnread(view);
}

export async function listKinds({ notifications }: NotificationsDeps, userId: number): Promise<NotificationKind[]> {
  const hidden = await notifications.findHidden(userId);
  return NOTIFICATION_KINDS.filter((kind) => !hidden.includes(kind));
}

export async function changeKinds(
  deps: NotificationsDeps,
  userId: number,
  { add = [], remove = [] }: KindsChange,
): Promise<void> {
  const { notifications } = deps;
  const before = await notifications.findHidden(userId);
  const shown = before.filter((kind) => add.includes(kind));
  if (shown.length > 0) await readNotifications(deps, userId, { kinds: shown });
  await notifications.changeHidden(userId, { hide: remove.filter((kind) => !add.includes(kind)), show: add });
  await announceRead(deps, userId);
}

/** Kinds are filtered on reading, because a reply's account is known only then. */
async function viewOf({ notifications, senders }: NotificationsDeps, userId: number): Promise<NotificationView> {
  const [accounts, hidden] = await Promise.all([senders.keysOf(userId), notifications.findHidden(userId)]);
  return { accounts, hidden };
}

/** Best effort: streams recount on connecting. */
async function announceRead({ bus, logger }: NotificationsDeps, userId: number): Promise<void> {
  try {
    await bus.publish([createEvent(randomUUID(), { $case: 'notificationsRead', value: { userId } })]);
  } catch (error) {
    logger.warn({ err: error }, 'event streams did not hear of a changed count');
  }
}

export async function followNotifications(
  deps: NotificationsDeps,
  userId: number,
  { after, ids, withoutCount }: { after: number; ids: number[]; withoutCount: boolean },
): Promise<{ accounts: AccountKey[]; shown: ShownNotification[]; unread: number | undefined }> {
  const { notifications } = deps;
  const view = await viewOf(deps, userId);
  const [missed, named, unread] = await Promise.all([
    after > 0 ? notifications.listAfter(view, after, MAX_MISSED) : [],
    ids.length > 0 ? notifications.findEach(view, ids.slice(0, MAX_MISSED)) : [],
    withoutCount ? undefined : notifications.countUnread(view),
  ]);
  return { accounts: view.accounts, shown: await show(deps, [...missed, ...named]), unread };
}

export async function forgetNotifications(
  { notifications, senders }: Pick<NotificationsDeps, 'notifications' | 'senders'>,
  userId: number,
): Promise<void> {
  await notifications.removeOfAccounts(await senders.keysOf(userId));
  await notifications.removeSettings(userId);
}

export const sweepNotifications = ({ notifications }: NotificationsDeps, now: Date): Promise<unknown> =>
  notifications.removeOlderThan(new Date(now.getTime() - RETENTION.notificationDays * DAY_MS));
