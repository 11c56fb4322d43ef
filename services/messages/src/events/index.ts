import { accountErased, type EventHandlers, type SUBSCRIPTIONS } from '@najwa/common';
import { NOTIFICATION_KINDS, type NotificationKind } from '@najwa/proto/http';
import type { MessagesContext } from '../context.js';
import { eraseAccount, withholdFiles } from '../domain/erasure.js';
import {
  followMessage,
  notifyOfDecision,
  notifyOfMessage,
  notifyOfReply,
  notifyOfVisits,
} from '../domain/notifications.js';
import { pushTags } from '../domain/push/secrets.js';
import {
  forgetBrowsersOfAccount,
  forgetBrowsersOfMessage,
  forgetBrowsersOfSession,
} from '../domain/push/subscriptions.js';

const isNotificationKind = (kind: string): kind is NotificationKind =>
  (NOTIFICATION_KINDS as readonly string[]).includes(kind);

export function subscribeToEvents(context: MessagesContext): void {
  const { bus, auth } = context;
  // Drops cached accounts that changed, so that a page which is paused or closed refuses at once.
  const forget = ({ userId }: { userId: number }): void => auth.forget(userId);
  bus.subscribe({ userUpdated: forget, accountDeletionRequested: forget, accountKept: forget }, () => auth.forget());
}

/**
 * Tells browsers, and forgets those that nothing should be told any more. `notification.created` comes from versions
 * before, which left its telling to this queue.
 */
export function pushHandlers(
  context: MessagesContext,
): EventHandlers<(typeof SUBSCRIPTIONS)['push'][number] | 'notificationCreated'> {
  const tags = async () => pushTags(await context.dataKeys.lasting());
  return {
    async notificationCreated({ notificationId, account, kind }) {
      if (isNotificationKind(kind))
        await context.pushSender.tell({ owner: (await tags()).account(account), about: String(notificationId), kind });
    },
    async replySaved({ messageId, sentId = messageId }) {
      await context.pushSender.tell({ owner: (await tags()).message(sentId), about: 'reply', kind: 'reply' });
    },
    messageDeleted: ({ messageId, sentId = messageId }) => forgetBrowsersOfMessage(context, sentId),
    sessionEnded: ({ sessionId }) => forgetBrowsersOfSession(context, sessionId),
    accountDeletionRequested: ({ userId }) => forgetBrowsersOfAccount(context, userId),
  };
}

/**
 * Makes notifications, and deletes what belongs to deleted accounts. An event only says what to look at: the state that
 * is stored decides, so events may come twice and in any order.
 */
export function eventHandlers(context: MessagesContext): EventHandlers<(typeof SUBSCRIPTIONS)['messages'][number]> {
  return {
    async messageCreated({ message }) {
      if (message) await notifyOfMessage(context, message);
    },
    async messageSetAside({ message }) {
      if (message) await followMessage(context, message.id);
    },
    async messageRestored({ message, isNew }) {
      if (message) await (isNew === true ? notifyOfMessage(context, message) : followMessage(context, message.id));
    },
    async messageUpdated({ message }) {
      if (message) await followMessage(context, message.id);
    },
    messageDeleted: ({ messageId }) => context.notifications.removeOfMessage(messageId),
    replySaved: ({ messageId }) => notifyOfReply(context, messageId),
    reportDecided: (decision) => notifyOfDecision(context, decision),
    visitsReached: ({ userId, visits }) => notifyOfVisits(context, userId, visits),
    accountDeletionRequested: ({ userId }) => withholdFiles(context, userId),
    accountKept: ({ userId }) => withholdFiles(context, userId),
    async accountDeleted({ userId }) {
      await eraseAccount(context, userId);
      await context.bus.publish([accountErased(userId, 'messages')]);
    },
  };
}
