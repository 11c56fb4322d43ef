import { idInPath, signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { updateMessage } from '../domain/own-messages.js';
import { presentMessage } from './present.js';

const params = z.object({ id: idInPath });
const body = z.union([z.strictObject({ isRead: z.literal(true) }), z.strictObject({ isPublic: z.boolean() })], {
  error: 'not_a_change',
});

/** PATCH /api/messages/{id} */
export function updateMessageRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    const { id } = validate(params, request.params);
    response.json(presentMessage(await updateMessage(context, user.id, id, validate(body, request.body))));
  };
}
