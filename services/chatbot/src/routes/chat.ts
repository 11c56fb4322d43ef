import { identityOf, personText, readSubmission, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ChatbotContext } from '../context.js';
import { chat } from '../domain/chat.js';

const IMAGE_PATH = '/image/';
const MAX_USER_AGENT_LENGTH = 512;

const body = z
  .strictObject({
    message: personText({ min: 0, max: 2000 }),
    imageUrl: z
      .string({ error: 'required' })
      .regex(/^\/image\/[A-Za-z0-9._-]{1,100}$/, 'not_valid')
      .nullable(),
  })
  .refine(({ message, imageUrl }) => message !== '' || imageUrl !== null, { path: ['message'], message: 'required' });

/** POST /api/chat */
export function chatRoute(context: ChatbotContext): RequestHandler {
  return async (request, response) => {
    const identity = identityOf(response);
    const { message, imageUrl } = validate(body, request.body);
    const { botResponse } = await chat(context, {
      text: message,
      imageName: imageUrl?.slice(IMAGE_PATH.length) ?? null,
      language: request.acceptsLanguages('ar', 'en') === 'en' ? 'en' : 'ar',
      identity,
      userAgent: (request.get('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH),
      submission: readSubmission(request.get('idempotency-key'), identity, [message, imageUrl ?? '']),
    });
    response.json({ response: botResponse });
  };
}
