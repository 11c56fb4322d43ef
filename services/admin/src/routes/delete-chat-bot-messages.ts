import type { RequestHandler } from 'express';
import type { AdminContext } from '../context.js';
import { audited } from '../domain/audited.js';
import { administratorOf } from './administrator.js';

/** DELETE /api/admin/chat-bot/messages */
export function deleteChatBotMessagesRoute(context: AdminContext): RequestHandler {
  return async (_request, response) => {
    const { user, ip } = administratorOf(response);
    const deleted = await audited(
      context,
      { userId: user.id, ipAddress: ip, action: 'conversations.delete_all', details: {} },
      async () => {
        const result = await context.chatbot.deleteAllConversations();
        return { result, details: { deleted: result } };
      },
    );
    response.json({ deleted });
  };
}
