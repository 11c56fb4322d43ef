import { AppError, type UnaryHandlers } from '@najwa/common';
import type { ChatbotServiceService } from '@najwa/proto/chatbot';
import type { ChatbotContext } from '../context.js';
import { presentConversation } from './present.js';

const MAX_LIMIT = 100;

export function listConversationsMethod({
  conversations,
}: ChatbotContext): UnaryHandlers<ChatbotServiceService>['listConversations'] {
  return async ({ before, limit }) => {
    if (limit < 1 || limit > MAX_LIMIT)
      throw new AppError({ code: 'invalid_input', message: `The limit is from 1 to ${MAX_LIMIT}.` });
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
  };
}
