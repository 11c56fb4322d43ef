import { id, personText, readSubmission, signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { replyToMessage } from '../domain/own-messages.js';
import { presentReply } from './present.js';

const body = z.strictObject({ messageId: id, content: personText({ min: 1, max: 1000 }) });

/** POST /api/replies */
export function saveReplyRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const identity = signedInIdentityOf(response);
    const { messageId, content } = validate(body, request.body);
    const submission = readSubmission(request.get('idempotency-key'), identity, [String(messageId), content]);
    const reply = await replyToMessage(context, identity.user.id, { messageId, content, submission });
    response.status(201).json(presentReply(messageId, reply));
  };
}
