import {
  AppError,
  id,
  idInPath,
  identityOf,
  personText,
  readForm,
  readImageDataUrl,
  readSubmission,
  validate,
  type Identity,
} from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { sendMessage, sendVoiceMessage, type OutgoingVoice } from '../domain/send.js';
import { presentMessage } from './present.js';

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** Fits the largest picture in base64, and the text. */
export const SEND_MESSAGE_BODY_BYTES = 8 * 1024 * 1024;

const MAX_RECORDING_BYTES = 10 * 1024 * 1024;

const MAX_TRACE_LENGTH = 512;

const newMessage = z.strictObject({
  userId: id,
  content: personText({ min: 1, max: 700 }),
  imageUrl: z.string().nullish(),
});

const voiceFields = z
  .strictObject({
    userId: z.string({ error: 'required' }).pipe(idInPath),
    voiceType: z.enum(['male', 'female'], { error: 'not_a_choice' }),
    // The recorder's own measurement. Only what the server measures counts.
    duration: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,20})?$/, 'not_a_number')
      .optional(),
  })
  .transform(({ userId, voiceType }) => ({ userId, voiceType }));

/** POST /api/messages */
export function sendMessageRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const sender = identityOf(response);
    const { userId, content, imageUrl } = validate(newMessage, request.body);
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

/** POST /api/audio/upload */
export function uploadAudioRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const sender = identityOf(response);
    const message = await sendVoiceMessage(context, {
      sender,
      trace: traceOf(request, sender),
      idempotencyKey: request.get('idempotency-key'),
      readForm: voiceFormReader(request),
    });
    response.status(201).json(presentMessage(message));
  };
}

function voiceFormReader(request: Request): OutgoingVoice['readForm'] {
  return async (receive) => {
    const received = async (chunks: AsyncIterable<Buffer>): Promise<true> => {
      await receive(chunks);
      return true;
    };
    const form = await readForm(request, { file: 'audio', maxBytes: MAX_RECORDING_BYTES, receive: received });
    const voice = validate(voiceFields, form.fields);
    if (form.file === undefined)
      throw new AppError({
        code: 'invalid_input',
        message: 'Check these fields: audio.',
        fields: { audio: 'required' },
      });
    return voice;
  };
}

/** Where a message came from. Only the tracking service reads it. */
function traceOf(request: Request, { ip }: Identity): SenderTrace {
  const header = (name: string): string => (request.get(name) ?? '').slice(0, MAX_TRACE_LENGTH);
  return {
    ipAddress: ip,
    userAgent: header('user-agent'),
    referrer: header('referer'),
    language: header('accept-language'),
  };
}
