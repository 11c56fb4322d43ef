import { Router } from 'express';
import type { MediaContext } from '../context.js';
import { getImageRoute } from './get-image.js';
import { previewVoiceRoute } from './preview-voice.js';
import { streamAudioRoute } from './stream-audio.js';

export function routes(context: MediaContext): Router {
  return Router()
    .get('/api/image/:name', getImageRoute(context))
    .get('/api/audio/stream/:name', streamAudioRoute(context))
    .post('/api/audio/preview', previewVoiceRoute(context));
}
