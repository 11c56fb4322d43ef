import type { EventHandlers } from '@najwa/common';
import type { MediaContext } from '../context.js';
import { removePicture } from '../domain/pictures.js';
import { FINAL_REVISION } from '../domain/removal.js';

/** The account has taken its new avatar, and given up the one before. */
export function userUpdated(context: MediaContext): EventHandlers<'userUpdated'>['userUpdated'] {
  return async ({ avatarName, removedAvatarName }) => {
    if (avatarName !== '') await context.pictures.applyState(avatarName, { isPublic: true, revision: 0 });
    if (removedAvatarName !== '') await removePicture(context, removedAvatarName, FINAL_REVISION);
  };
}
