import type { EventHandlers } from '@najwa/common';
import type { MediaContext } from '../context.js';
import { applyMessageState, removeMessageMedia } from '../domain/message-media.js';
import { FINAL_REVISION, removeKept } from '../domain/removal.js';

export function events(
  context: MediaContext,
): EventHandlers<'messageCreated' | 'messageUpdated' | 'messageDeleted' | 'userUpdated'> {
  const { blobs, pictures } = context;
  return {
    messageCreated: ({ message }) => applyMessageState(context, message),
    messageUpdated: ({ message }) => applyMessageState(context, message),
    messageDeleted: (deleted) => removeMessageMedia(context, deleted),
    async userUpdated({ avatarName, removedAvatarName }) {
      if (avatarName !== '') await pictures.applyState(avatarName, { isPublic: true, revision: 0 });
      if (removedAvatarName !== '') await removeKept(blobs, pictures, removedAvatarName, FINAL_REVISION);
    },
  };
}
