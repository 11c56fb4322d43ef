import { id, identityOf, personText, readImageDataUrl, readSubmission, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { sendMessage } from '../domain/send-message.js';
import { presentMessage } from './present.js';
import { traceOf } from './trace.js';

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** A picture of the largest size in base64, and the text. */
export const SEND_MESSAGE_BODY_BYTES = 8 * 1024 * 1024;

const body = z.strictObject({
  userId: id,
  content: personText({ min: 1, max: 700 }),
  imageUrl: z.string().nullish(),
});

/** POST /api/messages */
export function sendMessageRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const sender = identityOf(response);
    const { userId, content, imageUrl } = validate(body, request.body);
    const message = await sendMessage(context, {
      userId,
      content,
      image: imageUrl ? readImageDataUrl(imageUrl, 'imageUrl', MAX_IMAGE_BYTES) : null,
      sender,
      trace: traceOf(request, sender),
      submission: readSubmission(request.get('idempotency-key'), sender, [String(userId), content, imageUrl ?? '']),
    });
    response.status(201).json(presentMessage(message));
  };
}
