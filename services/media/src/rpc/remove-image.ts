import type { UnaryHandlers } from '@najwa/common';
import type { MediaServiceService } from '@najwa/proto/media';
import type { MediaContext } from '../context.js';
import { FINAL_REVISION, removePicture } from '../domain/pictures.js';

export function removeImageMethod(context: MediaContext): UnaryHandlers<MediaServiceService>['removeImage'] {
  return async ({ name }) => {
    await removePicture(context, name, FINAL_REVISION);
    return {};
  };
}
