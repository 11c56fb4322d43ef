import type { UnaryHandlers } from '@najwa/common';
import type { ChatbotServiceService } from '@najwa/proto/chatbot';
import type { ChatbotContext } from '../context.js';
import { deleteAllConversations } from '../domain/conversations.js';

export function deleteAllConversationsMethod(
  context: ChatbotContext,
): UnaryHandlers<ChatbotServiceService>['deleteAllConversations'] {
  return async () => ({ deleted: await deleteAllConversations(context) });
}
