import { AppError } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import type { ChatbotServiceService, Conversation, OwnConversation } from '@najwa/proto/chatbot';
import { accountCaller } from '../pictures/pictures.js';
import type { ConversationRecord } from './conversation-store.js';
import { deleteAllConversations, deleteConversation, type ConversationsDeps } from './conversations.js';

const MAX_LIMIT = 100;

function requireLimit(limit: number): void {
  if (limit < 1 || limit > MAX_LIMIT)
    throw new AppError({ code: 'invalid_input', message: `The limit must be from 1 to ${MAX_LIMIT}.` });
}

/** proto3 has no null: 0 and '' mean missing. */
function presentConversation(record: ConversationRecord): Conversation {
  return {
    id: record.id,
    userId: record.userId ?? 0,
    userName: record.userName ?? '',
    userMessage: record.userMessage,
    botResponse: record.botResponse,
    imageName: record.imageName ?? '',
    isUsingLocalSystem: record.isUsingLocalSystem,
    ipAddress: record.ipAddress ?? '',
    userAgent: record.userAgent ?? '',
    createdAt: record.createdAt,
  };
}

const presentOwnConversation = (record: ConversationRecord): OwnConversation => ({
  id: record.id,
  userMessage: record.userMessage,
  botResponse: record.botResponse,
  imageName: record.imageName ?? '',
  createdAt: record.createdAt,
});

export function rpc(deps: ConversationsDeps): UnaryHandlers<ChatbotServiceService> {
  const { conversations } = deps;
  return {
    async listConversations({ before, limit }) {
      requireLimit(limit);
      const [found, total] = await Promise.all([
        conversations.list({ before: before === 0 ? undefined : before, limit: limit + 1 }),
        conversations.count(),
      ]);
      const page = found.slice(0, limit);
      return {
        conversations: page.map(presentConversation),
        nextBefore: found.length > limit ? (page.at(-1)?.id ?? 0) : 0,
        total: total ?? undefined,
      };
    },
    async listOwnConversations({ userId, before, limit }) {
      requireLimit(limit);
      const found = await conversations.listOf(accountCaller(userId), {
        before: before === 0 ? undefined : before,
        limit,
      });
      return { conversations: found.map(presentOwnConversation) };
    },
    async deleteConversation({ id }) {
      await deleteConversation(deps, id);
      return {};
    },
    async deleteAllConversations() {
      return { deleted: await deleteAllConversations(deps) };
    },
  };
}
