import type { Conversation } from '@najwa/proto/chatbot';
import type { ConversationRecord } from '../db/conversations.js';

export function presentConversation(record: ConversationRecord): Conversation {
  const {
    id,
    userId,
    userName,
    userMessage,
    botResponse,
    imageName,
    isUsingLocalSystem,
    ipAddress,
    userAgent,
    createdAt,
  } = record;
  return {
    id,
    userId: userId ?? 0,
    userName: userName ?? '',
    userMessage,
    botResponse,
    imageName: imageName ?? '',
    isUsingLocalSystem,
    ipAddress,
    userAgent,
    createdAt,
  };
}
