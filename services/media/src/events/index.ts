import { accountErased, type EventHandlers, type SUBSCRIPTIONS } from '@najwa/common/amqp';
import type { MediaContext } from '../context.js';
import { removeArchivesOf } from '../domain/archives.js';
import { applyAnswer, applyMessageState, removeMessageMedia } from '../domain/message-media.js';
import { FINAL_REVISION, removeKept } from '../domain/removal.js';

export function events(context: MediaContext): EventHandlers<(typeof SUBSCRIPTIONS)['media'][number]> {
  const { blobs, pictures, bus } = context;
  return {
    messageCreated: ({ message }) => applyMessageState(context, message),
    messageSetAside: ({ message }) => applyMessageState(context, message),
    messageUpdated: ({ message }) => applyMessageState(context, message),
    messageDeleted: (deleted) => removeMessageMedia(context, deleted),
    async userUpdated({ avatarName, removedAvatarName }) {
      if (avatarName !== '') await pictures.applyState(avatarName, { isPublic: true, revision: 0 });
      if (removedAvatarName !== '') await removeKept(blobs, pictures, removedAvatarName, FINAL_REVISION);
    },
    filesAnswered: (answer) => applyAnswer(context, answer),
    // Messages deletes its own files, one by one.
    async accountDeleted({ userId, avatarName }, { occurredAt = new Date() }) {
      if (avatarName !== '') await removeKept(blobs, pictures, avatarName, FINAL_REVISION);
      await removeArchivesOf(context, userId, occurredAt);
      await bus.publish([accountErased(userId, 'media')]);
    },
  };
}
