import { idInPath, signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { deleteMessage } from '../domain/own-messages.js';

const params = z.object({ id: idInPath });

/** DELETE /api/messages/{id} */
export function deleteMessageRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    await deleteMessage(context, user.id, validate(params, request.params).id);
    response.status(204).end();
  };
}
