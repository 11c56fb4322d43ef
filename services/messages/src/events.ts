import { accountErased, type EventHandlers, type SUBSCRIPTIONS } from '@najwa/common/amqp';
import type { MessageDeleted } from '@najwa/proto/events';
import { eraseAccount, withholdFiles } from './account/erasure.js';
import { answerForFiles } from './account/files.js';
import type { MessagesContext } from './context.js';
import {
  followMessage,
  notifyOfDecision,
  notifyOfMessage,
  notifyOfReply,
  notifyOfVisits,
} from './notifications/notifications.js';
import { pushTags } from './push/secrets.js';
import { forgetBrowsersOfAccount, forgetBrowsersOfMessage, forgetBrowsersOfSession } from './push/subscriptions.js';
import { asSent } from './store/message-record.js';

/**
 * True for an event of another message, which has the same id. After a restore beside a broker that was not emptied,
 * such events say nothing about the message.
 */
async function isOfAnother({ messages }: MessagesContext, { messageId, sentAt }: MessageDeleted): Promise<boolean> {
  if (sentAt === undefined) return false;
  const message = await messages.find(messageId);
  return message !== null && asSent(message).createdAt.getTime() !== sentAt.getTime();
}

export function subscribeToEvents(context: MessagesContext): void {
  const { bus, auth } = context;
  // Drops cached accounts that changed, so that a page which is paused or closed refuses at once.
  const forget = ({ userId }: { userId: number }): void => auth.forget(userId);
  bus.subscribe({ userUpdated: forget, accountDeletionRequested: forget, accountKept: forget }, () => auth.forget());
}

/** Tells browsers of replies, and forgets those that nothing should be told any more. */
export function pushEventHandlers(context: MessagesContext): EventHandlers<(typeof SUBSCRIPTIONS)['push'][number]> {
  return {
    async replySaved({ messageId, sentId = messageId }) {
      const owner = pushTags(await context.dataKeys.permanentKey()).message(sentId);
      await context.pushSender.tell({ owner, about: 'reply', kind: 'reply' });
    },
    async messageDeleted(deletion) {
      const { messageId, sentId = messageId } = deletion;
      if (!(await isOfAnother(context, deletion))) await forgetBrowsersOfMessage(context, sentId);
    },
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
    async messageDeleted(deletion) {
      if (!(await isOfAnother(context, deletion))) await context.notifications.removeOfMessage(deletion.messageId);
    },
    replySaved: ({ messageId }) => notifyOfReply(context, messageId),
    reportDecided: (decision) => notifyOfDecision(context, decision),
    visitsReached: ({ userId, visits }) => notifyOfVisits(context, userId, visits),
    accountDeletionRequested: ({ userId }) => withholdFiles(context, userId),
    accountKept: ({ userId }) => withholdFiles(context, userId),
    filesUnclaimed: ({ messageFiles }) => answerForFiles(context, messageFiles),
    async accountDeleted({ userId }) {
      // Auth knows no account any more before it tells that one is deleted. An open one is another one with its id.
      if ((await context.auth.findUsers([userId])).length > 0) return;
      await eraseAccount(context, userId);
      await context.bus.publish([accountErased(userId, 'messages')]);
    },
  };
}
