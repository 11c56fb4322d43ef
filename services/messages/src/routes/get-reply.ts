import { identityOf, idInPath, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { readReply } from '../domain/own-messages.js';
import { presentReply } from './present.js';

const params = z.object({ messageId: idInPath });

/** GET /api/replies/{messageId} */
export function getReplyRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const found = await readReply(context, identityOf(response).user?.id, validate(params, request.params).messageId);
    response.json(found && presentReply(found.messageId, found.reply));
  };
}
