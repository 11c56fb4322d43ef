import { createRoutes, senderKey } from '@najwa/common';
import type { Router } from 'express';
import type { MediaContext } from '../context.js';
import { receiveRecording, withRecordingFile } from '../domain/recordings.js';
import { makerOf, previewVoice } from '../domain/sounds.js';
import { sendImage } from './get-image.js';
import { sendSound } from './stream-audio.js';

export function routes(context: MediaContext): Router {
  return createRoutes('media', {
    previewVoice: {
      limit: ({ identity }) => context.limits.voice.consume(senderKey(identity)),
      async handle({ identity, readForm }) {
        const sender = senderKey(identity);
        const { name } = await withRecordingFile(context.recordings, sender, async (file) => {
          const form = await readForm((chunks) => receiveRecording(file, chunks));
          return previewVoice(context, {
            recording: form.file,
            voiceType: form.fields.voiceType,
            maker: makerOf(identity),
            senderKey: sender,
          });
        });
        return { previewUrl: `/audio/stream/${name}` };
      },
    },
    streamAudio: (call) => sendSound(context, call),
    getImage: (call) => sendImage(context, call),
  });
}
