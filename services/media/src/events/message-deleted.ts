import type { EventPayload } from '@najwa/common';
import type { MediaContext } from '../context.js';
import { removeKept } from '../domain/removal.js';

export function messageDeleted({ blobs, pictures, sounds }: MediaContext) {
  return async ({ imageName, audioName, revision }: EventPayload<'messageDeleted'>): Promise<void> => {
    if (imageName !== '') await removeKept(blobs, pictures, imageName, revision);
    if (audioName !== '') await removeKept(blobs, sounds, audioName, revision);
  };
}
