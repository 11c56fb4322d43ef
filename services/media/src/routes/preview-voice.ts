import { AppError, identityOf, readForm, senderKey, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MediaContext } from '../context.js';
import { MAX_RECORDING_BYTES, receiveRecording, withRecordingFile } from '../domain/recordings.js';
import { makerOf, previewVoice } from '../domain/sounds.js';

const fields = z.strictObject({
  voiceType: z.enum(['male', 'female'], { error: 'not_a_choice' }),
  isPreview: z.literal('true', { error: 'not_a_choice' }),
});

/** POST /api/audio/preview */
export function previewVoiceRoute(context: MediaContext): RequestHandler {
  return async (request, response) => {
    const identity = identityOf(response);
    const sender = senderKey(identity);
    await context.limits.voice.consume(sender);
    const { name } = await withRecordingFile(context.recordings, sender, async (file) => {
      const form = await readForm(request, {
        file: 'audio',
        maxBytes: MAX_RECORDING_BYTES,
        receive: (chunks) => receiveRecording(file, chunks),
      });
      const { voiceType } = validate(fields, form.fields);
      if (form.file === undefined)
        throw new AppError({
          code: 'invalid_input',
          message: 'Check these fields: audio.',
          fields: { audio: 'required' },
        });
      return previewVoice(context, {
        recording: form.file,
        voiceType,
        maker: makerOf(identity),
        senderKey: sender,
      });
    });
    response.json({ previewUrl: `/audio/stream/${name}` });
  };
}
