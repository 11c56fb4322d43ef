import { createRoutes } from '@najwa/common/http';
import { senderKey, senderOf } from '@najwa/common/identity';
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
      async handle({ identity, form }) {
        const sender = senderOf(identity);
        const { name } = await withRecordingFile(context.recordings, sender, async (file) => {
          const recording = await receiveRecording(file, form);
          const { voiceType } = form.complete();
          return previewVoice(context, { recording, voiceType, maker: makerOf(identity), ...sender });
        });
        return { previewUrl: `/audio/stream/${name}` };
      },
    },
    streamAudio: (call) => sendSound(context, call),
    getImage: (call) => sendImage(context, call),
  });
}
