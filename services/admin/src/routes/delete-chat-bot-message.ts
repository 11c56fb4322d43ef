import { idInPath, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AdminContext } from '../context.js';
import { audited } from '../domain/audited.js';
import { administratorOf } from './administrator.js';

const params = z.object({ id: idInPath });

/** DELETE /api/admin/chat-bot/messages/{id} */
export function deleteChatBotMessageRoute(context: AdminContext): RequestHandler {
  return async (request, response) => {
    const { user, ip } = administratorOf(response);
    const { id } = validate(params, request.params);
    await audited(
      context,
      { userId: user.id, ipAddress: ip, action: 'conversation.delete', details: { conversationId: id } },
      async () => ({
        result: await context.chatbot.deleteConversation(id),
      }),
    );
    response.json({ deleted: 1 });
  };
}
