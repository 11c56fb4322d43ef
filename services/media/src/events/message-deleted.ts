import type { EventHandlers } from '@najwa/common';
import type { MediaContext } from '../context.js';
import { removeKept } from '../domain/removal.js';

export function messageDeleted({ blobs, pictures, sounds }: MediaContext): EventHandlers<'messageDeleted'>['messageDeleted'] {
  return async ({ imageName, audioName, revision }) => {
    if (imageName !== '') await removeKept(blobs, pictures, imageName, revision);
    if (audioName !== '') await removeKept(blobs, sounds, audioName, revision);
  };
}
