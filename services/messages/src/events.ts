import { accountErased, type EventHandlers, type SUBSCRIPTIONS } from '@najwa/common/amqp';
import type { MessageDeleted, MessageState } from '@najwa/proto/events';
import { eraseAccount, withholdFiles } from './account/erasure.js';
import { answerForFiles } from './account/files.js';
import type { MessagesContext } from './context.js';
import { joinFirst } from './conversations/ending.js';
import {
  followMessage,
  notifyOfDecision,
  notifyOfMessage,
  notifyOfReply,
  notifyOfVisits,
} from './notifications/notifications.js';
import { pushTags } from './push/secrets.js';
import {
  aboutReply,
  forgetBrowsersOfAccount,
  forgetBrowsersOfMessage,
  forgetBrowsersOfSession,
} from './push/subscriptions.js';
import { originOf } from './store/message-record.js';

/** After a restore, the broker may deliver events of another message with the same id. */
async function isOfAnother({ messages }: MessagesContext, { messageId, sentAt }: MessageDeleted): Promise<boolean> {
  if (sentAt === undefined) return false;
  const message = await messages.find(messageId);
  return message !== null && originOf(message).at.getTime() !== sentAt.getTime();
}

export function subscribeToEvents(context: MessagesContext): void {
  const { bus, auth } = context;
  // A paused or closed page must refuse at once.
  const forget = ({ userId }: { userId: number }): void => auth.forget(userId);
  bus.subscribe({ userUpdated: forget, accountDeletionRequested: forget, accountKept: forget }, () => auth.forget());
}

export function pushEventHandlers(context: MessagesContext): EventHandlers<(typeof SUBSCRIPTIONS)['push'][number]> {
  return {
    async replySaved({ messageId, sentId = messageId }) {
      const owner = pushTags(await context.dataKeys.permanentKey()).message(sentId);
      await context.pushSender.enqueue({ owner, about: aboutReply(messageId), kind: 'reply' });
    },
    async messageDeleted(deletion) {
      const { messageId, sentId = messageId } = deletion;
      if (!(await isOfAnother(context, deletion))) await forgetBrowsersOfMessage(context, sentId);
    },
    sessionEnded: ({ sessionId }) => forgetBrowsersOfSession(context, sessionId),
    accountDeletionRequested: ({ userId }) => forgetBrowsersOfAccount(context, userId),
  };
}

const join = async (context: MessagesContext, { conversationId }: MessageState): Promise<void> => {
  if (conversationId !== undefined) await joinFirst(context, conversationId);
};

/** Handlers act on stored state, not on the event, so events may repeat and reorder. */
export function eventHandlers(context: MessagesContext): EventHandlers<(typeof SUBSCRIPTIONS)['messages'][number]> {
  return {
    async messageCreated({ message }) {
      if (!message) return;
      await join(context, message);
      await notifyOfMessage(context, message);
    },
    async messageSetAside({ message }) {
      if (message) await followMessage(context, message.id);
    },
    async messageRestored({ message, isNew }) {
      if (!message) return;
      await join(context, message);
      await (isNew === true ? notifyOfMessage(context, message) : followMessage(context, message.id));
    },
    async messageUpdated({ message }) {
      if (message) await followMessage(context, message.id);
    },
    async messageDeleted(deletion) {
      if (await isOfAnother(context, deletion)) return;
      await followMessage(context, deletion.messageId);
      await context.notifications.removeOfMessage(deletion.messageId);
    },
    replySaved: ({ messageId }) => notifyOfReply(context, messageId),
    reportDecided: (decision) => notifyOfDecision(context, decision),
    visitsReached: ({ userId, visits }) => notifyOfVisits(context, userId, visits),
    accountDeletionRequested: ({ userId }) => withholdFiles(context, userId),
    accountKept: ({ userId }) => withholdFiles(context, userId),
    filesUnclaimed: ({ messageFiles }) => answerForFiles(context, messageFiles),
    async accountDeleted({ userId }) {
      // Auth forgets the account before it publishes the deletion. A known one is a new account with this id.
      if ((await context.auth.findUsers([userId])).length > 0) return;
      await eraseAccount(context, userId);
      await context.bus.publish([accountErased(userId, 'messages')]);
    },
  };
}
