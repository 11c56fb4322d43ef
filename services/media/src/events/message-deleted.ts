import type { EventHandlers } from '@najwa/common';
import type { MediaContext } from '../context.js';
import { removePicture } from '../domain/pictures.js';

export function messageDeleted(context: MediaContext): EventHandlers<'messageDeleted'>['messageDeleted'] {
  return async ({ imageName, revision }) => {
    if (imageName !== '') await removePicture(context, imageName, revision);
  };
}
