import type { EventPayload } from '@najwa/common';
import type { MediaContext } from '../context.js';

/** Both carry the whole state of the message: who may see its picture follows from the latest. */
export function messageChanged({ pictures }: MediaContext) {
  return async ({ message }: EventPayload<'messageCreated' | 'messageUpdated'>): Promise<void> => {
    if (message === undefined || message.imageName === '') return;
    await pictures.applyState(message.imageName, { isPublic: message.isPublic, revision: message.revision });
  };
}
