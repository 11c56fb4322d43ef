import { id, identityOf, personText, readImageDataUrl, readSubmission, validate, type Identity } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { sendMessage } from '../domain/send-message.js';
import { presentMessage } from './present.js';

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** A picture of the largest size in base64, and the text. */
export const SEND_MESSAGE_BODY_BYTES = 8 * 1024 * 1024;

const body = z.strictObject({
  userId: id,
  content: personText({ min: 1, max: 700 }),
  imageUrl: z.string().nullish(),
});

const MAX_TRACE_LENGTH = 512;

function traceOf(request: Request, { ip }: Identity): SenderTrace {
  const header = (name: string): string => (request.get(name) ?? '').slice(0, MAX_TRACE_LENGTH);
  return { ipAddress: ip, userAgent: header('user-agent'), referrer: header('referer'), language: header('accept-language') };
}

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
