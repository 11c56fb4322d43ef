import type { UnaryHandlers } from '@najwa/common';
import type { MediaServiceService } from '@najwa/proto/media';
import type { MediaContext } from '../context.js';
import { removePicture } from '../domain/pictures.js';
import { FINAL_REVISION } from '../domain/removal.js';

export function removeImageMethod(context: MediaContext): UnaryHandlers<MediaServiceService>['removeImage'] {
  return async ({ name }) => {
    await removePicture(context, name, FINAL_REVISION);
    return {};
  };
}
