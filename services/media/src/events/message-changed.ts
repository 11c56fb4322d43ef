import type { EventPayload } from '@najwa/common';
import type { MediaContext } from '../context.js';

/** Both carry the whole state of the message: who may have its picture and its sound follows from the latest. */
export function messageChanged({ pictures, sounds }: MediaContext) {
  return async ({ message }: EventPayload<'messageCreated' | 'messageUpdated'>): Promise<void> => {
    if (message === undefined) return;
    const { imageName, audioName, isPublic, revision } = message;
    if (imageName !== '') await pictures.applyState(imageName, { isPublic, revision });
    if (audioName !== '') await sounds.applyState(audioName, { isPublic, revision });
  };
}
