import { accountErased, type EventHandlers } from '@najwa/common/amqp';
import type { ChatbotContext } from '../context.js';
import { deleteConversationsOf } from '../domain/conversations.js';

export function eventHandlers(context: ChatbotContext): EventHandlers<'accountDeleted'> {
  return {
    async accountDeleted({ userId }) {
      // Auth forgets the account before it publishes the deletion. A known one is a new account with this id.
      if ((await context.auth.findUser(userId)) !== null) return;
      await deleteConversationsOf(context, userId);
      await context.bus.publish([accountErased(userId, 'chatbot')]);
    },
  };
}
