import { createRoutes, type Caller } from '@najwa/common/http';
import { readSubmission, readSubmissionKey, type ClientRateLimiter } from '@najwa/common/limits';
import type { Router } from 'express';
import { uploadPicture } from '../pictures/pictures.js';
import { chat } from './chat.js';
import type { ConversationsDeps } from './conversations.js';

const IMAGE_PATH = '/image/';
const MAX_USER_AGENT_LENGTH = 512;

export type ChatLimits = Record<'chat' | 'upload', ClientRateLimiter>;

type Submitter = Pick<Caller<'chat'>, 'identity' | 'request'>;

/** Replays do not count. */
async function limitSubmission(
  { identity, request }: Submitter,
  limiter: ClientRateLimiter,
  find: (key: string) => Promise<unknown>,
): Promise<void> {
  const key = readSubmissionKey(request.get('idempotency-key'), identity);
  if (key !== undefined && (await find(key))) return;
  await limiter.consumeSender(identity);
}

export function routes(deps: ConversationsDeps, limits: ChatLimits): Router {
  const { conversations, uploads } = deps;
  return createRoutes('chatbot', {
    chat: {
      limit: (caller) => limitSubmission(caller, limits.chat, (key) => conversations.findBySubmission(key)),
      async handle({ identity, body: { message, imageUrl }, request }) {
        const { botResponse } = await chat(deps, {
          text: message,
          imageName: imageUrl?.slice(IMAGE_PATH.length) ?? null,
          language: request.acceptsLanguages('ar', 'en') === 'en' ? 'en' : 'ar',
          identity,
          userAgent: (request.get('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH),
          submission: readSubmission(request.get('idempotency-key'), identity, [message, imageUrl ?? '']),
        });
        return { response: botResponse };
      },
    },
    uploadChatImage: {
      limit: (caller) => limitSubmission(caller, limits.upload, (key) => uploads.findBySubmission(key)),
      async handle({ identity, body: { image }, request }) {
        const submission = readSubmission(request.get('idempotency-key'), identity, [image.digest]);
        const name = await uploadPicture(deps, image.bytes, identity, submission);
        return { success: true, image: { url: `/image/${name}` } };
      },
    },
  });
}
