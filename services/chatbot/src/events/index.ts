import { accountErased, type EventHandlers } from '@najwa/common/amqp';
import type { ChatbotContext } from '../context.js';
import { deleteConversationsOf } from '../domain/conversations.js';

export function eventHandlers(context: ChatbotContext): EventHandlers<'accountDeleted'> {
  return {
    async accountDeleted({ userId }) {
      // Auth knows no account any more before it tells that one is deleted. An open one is another one with its id.
      if ((await context.auth.findUser(userId)) !== null) return;
      await deleteConversationsOf(context, userId);
      await context.bus.publish([accountErased(userId, 'chatbot')]);
    },
  };
}
