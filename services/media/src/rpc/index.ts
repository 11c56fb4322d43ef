import type { UnaryHandlers } from '@najwa/common';
import type { MediaServiceService } from '@najwa/proto/media';
import type { MediaContext } from '../context.js';
import { followMessageMethod } from './follow-message.js';
import { getImageMethod } from './get-image.js';
import { morphVoiceMethod } from './morph-voice.js';
import { removeImageMethod } from './remove-image.js';
import { storeImageMethod } from './store-image.js';

export function rpc(context: MediaContext): UnaryHandlers<MediaServiceService> {
  return {
    storeImage: storeImageMethod(context),
    getImage: getImageMethod(context),
    removeImage: removeImageMethod(context),
    morphVoice: morphVoiceMethod(context),
    followMessage: followMessageMethod(context),
  };
}
