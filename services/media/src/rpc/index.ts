import { buffer } from 'node:stream/consumers';
import { AppError } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import type { MediaServiceService } from '@najwa/proto/media';
import type { MediaContext } from '../context.js';
import { applyMessageState, removeMessageMedia } from '../domain/message-media.js';
import { archiveMethods } from './archives.js';
import { imageMethods } from './images.js';
import { morphVoiceMethod } from './morph-voice.js';

export function rpc(context: MediaContext): UnaryHandlers<MediaServiceService> {
  return {
    ...imageMethods(context),
    ...archiveMethods(context),
    morphVoice: morphVoiceMethod(context),
    async getSound({ name }) {
      const sound = await context.sounds.findStored(name);
      const body = sound?.kind === 'message' ? await context.blobs.open(name) : null;
      if (!sound || !body) throw new AppError({ code: 'media_not_found', message: 'There is no such sound.' });
      return { content: await buffer(body), contentType: sound.contentType };
    },
    async followMessage({ change }) {
      if (change === undefined) throw new AppError({ code: 'malformed', message: 'The call names no change.' });
      if (change.$case === 'updated') await applyMessageState(context, change.value.message);
      else await removeMessageMedia(context, change.value);
      return {};
    },
  };
}
