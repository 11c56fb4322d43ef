import { AppError, identityOf, idInPath, readForm, validate } from '@najwa/common';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { sendVoiceMessage, type OutgoingVoice } from '../domain/send-voice-message.js';
import { presentMessage } from './present.js';
import { traceOf } from './trace.js';

/** The product's 10 MB. */
const MAX_RECORDING_BYTES = 10 * 1024 * 1024;

const fields = z
  .strictObject({
    userId: z.string({ error: 'required' }).pipe(idInPath),
    voiceType: z.enum(['male', 'female'], { error: 'not_a_choice' }),
    // What the recorder measured. The sound is measured anew, and its length is what counts.
    duration: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,20})?$/, 'not_a_number')
      .optional(),
  })
  .transform(({ userId, voiceType }) => ({ userId, voiceType }));

const readVoiceForm =
  (request: Request): OutgoingVoice['readForm'] =>
  async (receive) => {
    const received = async (pieces: AsyncIterable<Buffer>): Promise<true> => {
      await receive(pieces);
      return true;
    };
    const form = await readForm(request, { file: 'audio', maxBytes: MAX_RECORDING_BYTES, receive: received });
    const voice = validate(fields, form.fields);
    if (form.file === undefined)
      throw new AppError({
        code: 'invalid_input',
        message: 'Check these fields: audio.',
        fields: { audio: 'required' },
      });
    return voice;
  };

/** POST /api/audio/upload */
export function uploadAudioRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const sender = identityOf(response);
    const message = await sendVoiceMessage(context, {
      sender,
      trace: traceOf(request, sender),
      idempotencyKey: request.get('idempotency-key'),
      readForm: readVoiceForm(request),
    });
    response.status(201).json(presentMessage(message));
  };
}
