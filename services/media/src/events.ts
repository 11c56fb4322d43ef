import { accountErased, type EventHandlers, type SUBSCRIPTIONS } from '@najwa/common/amqp';
import { removeArchivesOf } from './archives/archives.js';
import { applyAnswer, applyMessageState, removeMessageMedia } from './files/message-media.js';
import { FINAL_REVISION, removeKept } from './files/removal.js';
import type { SweepDeps } from './files/sweep.js';

export function events(deps: SweepDeps): EventHandlers<(typeof SUBSCRIPTIONS)['media'][number]> {
  const { blobs, pictures, bus } = deps;
  return {
    messageCreated: ({ message }) => applyMessageState(deps, message),
    messageSetAside: ({ message }) => applyMessageState(deps, message),
    messageUpdated: ({ message }) => applyMessageState(deps, message),
    messageDeleted: (deleted) => removeMessageMedia(deps, deleted),
    async userUpdated({ avatarName, removedAvatarName }) {
      if (avatarName !== '') await pictures.applyState(avatarName, { isPublic: true, revision: 0 });
      if (removedAvatarName !== '') await removeKept(blobs, pictures, removedAvatarName, FINAL_REVISION);
    },
    filesAnswered: (answer) => applyAnswer(deps, answer),
    // Messages deletes its own files, one by one.
    async accountDeleted({ userId, avatarName }, { occurredAt = new Date() }) {
      if (avatarName !== '') await removeKept(blobs, pictures, avatarName, FINAL_REVISION);
      await removeArchivesOf(deps, userId, occurredAt);
      await bus.publish([accountErased(userId, 'media')]);
    },
  };
}
