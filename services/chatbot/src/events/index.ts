import { accountErased, type EventHandlers } from '@najwa/common';
import type { ChatbotContext } from '../context.js';
import { deleteConversationsOf } from '../domain/conversations.js';

export function eventHandlers(context: ChatbotContext): EventHandlers<'accountDeleted'> {
  return {
    async accountDeleted({ userId }) {
      await deleteConversationsOf(context, userId);
      await context.bus.publish([accountErased(userId, 'chatbot')]);
    },
  };
}
