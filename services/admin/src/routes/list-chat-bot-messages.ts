import { validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AdminContext } from '../context.js';
import { audited } from '../domain/audited.js';
import { administratorOf } from './administrator.js';
import { linkNextPage, pageQuery, tellTotal } from './paging.js';
import { presentConversation } from './present.js';

const query = z.object(pageQuery);

/** GET /api/admin/chat-bot/messages */
export function listChatBotMessagesRoute(context: AdminContext): RequestHandler {
  return async (request, response) => {
    const { user, ip } = administratorOf(response);
    const { before = 0, limit } = validate(query, request.query);
    const entry = {
      userId: user.id,
      ipAddress: ip,
      action: 'conversations.list' as const,
      details: before === 0 ? {} : { before },
    };
    const page = await audited(context, entry, async () => {
      const result = await context.chatbot.listConversations({ before, limit });
      return { result, details: { conversations: result.conversations.length } };
    });
    linkNextPage(request, response, page.nextBefore);
    tellTotal(response, page.total);
    response.json(page.conversations.map(presentConversation));
  };
}
