import { id, idInPath, identityOf, personText, readSubmission, signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { deleteMessage, readReply, replyToMessage, updateMessage } from '../domain/inbox.js';
import { presentMessage, presentReply } from './present.js';

const messageParams = z.object({ id: idInPath });
const replyParams = z.object({ messageId: idInPath });
const changes = z.union([z.strictObject({ isRead: z.literal(true) }), z.strictObject({ isPublic: z.boolean() })], {
  error: 'not_a_change',
});
const newReply = z.strictObject({ messageId: id, content: personText({ min: 1, max: 1000 }) });

/** PATCH /api/messages/{id} */
export function updateMessageRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    const { id } = validate(messageParams, request.params);
    response.json(presentMessage(await updateMessage(context, user.id, id, validate(changes, request.body))));
  };
}

/** DELETE /api/messages/{id} */
export function deleteMessageRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    await deleteMessage(context, user.id, validate(messageParams, request.params).id);
    response.status(204).end();
  };
}

/** GET /api/replies/{messageId} */
export function getReplyRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { messageId } = validate(replyParams, request.params);
    const found = await readReply(context, identityOf(response).user?.id, messageId);
    response.json(found && presentReply(found.messageId, found.reply));
  };
}

/** POST /api/replies */
export function createReplyRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const identity = signedInIdentityOf(response);
    const { messageId, content } = validate(newReply, request.body);
    const submission = readSubmission(request.get('idempotency-key'), identity, [String(messageId), content]);
    const reply = await replyToMessage(context, identity.user.id, { messageId, content, submission });
    response.status(201).json(presentReply(messageId, reply));
  };
}
