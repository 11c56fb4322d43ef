import type { UnaryHandlers } from '@najwa/common';
import type { ChatbotServiceService } from '@najwa/proto/chatbot';
import type { ChatbotContext } from '../context.js';
import { deleteAllConversationsMethod } from './delete-all-conversations.js';
import { deleteConversationMethod } from './delete-conversation.js';
import { listConversationsMethod } from './list-conversations.js';

export function rpc(context: ChatbotContext): UnaryHandlers<ChatbotServiceService> {
  return {
    listConversations: listConversationsMethod(context),
    deleteConversation: deleteConversationMethod(context),
    deleteAllConversations: deleteAllConversationsMethod(context),
  };
}
