import type { UnaryHandlers } from '@najwa/common';
import type { ChatbotServiceService } from '@najwa/proto/chatbot';
import type { ChatbotContext } from '../context.js';
import { deleteConversation } from '../domain/conversations.js';

export function deleteConversationMethod(
  context: ChatbotContext,
): UnaryHandlers<ChatbotServiceService>['deleteConversation'] {
  return async ({ id }) => {
    await deleteConversation(context, id);
    return {};
  };
}
