import type { EventBus } from '@najwa/common/amqp';
import type { Sessions } from '../domain/sessions.js';
import type { Streams } from '../domain/streams.js';
import { messagesTag, profileTag, UNKNOWN_PROFILE, type PublicCache } from '../public/reads.js';

export interface EventsDeps {
  bus: EventBus;
  sessions: Sessions;
  publicCache: PublicCache;
  pictureCache: PublicCache;
  streams: Streams;
}

/**
 * Drops cached entries whose public part changed, and notifies streams. A refetch is visible to anyone who polls, so
 * private changes must not cause one. After missed events, nothing cached is trusted and streams restart.
 */
export function subscribeToEvents({ bus, sessions, publicCache, pictureCache, streams }: EventsDeps): void {
  const caches = [publicCache, pictureCache];
  const drop = (...tags: string[]): void => {
    for (const cache of caches) for (const tag of tags) cache.drop(tag);
  };
  const messagesChanged = ({ userId }: { userId: number }): void => drop(messagesTag(userId));
  bus.subscribe(
    {
      sessionEnded({ tokenHash }) {
        sessions.end(tokenHash);
        streams.endSession(tokenHash);
      },
      userCreated: () => drop(UNKNOWN_PROFILE),
      accountDeletionRequested({ userId }) {
        sessions.accountChanged(userId);
        streams.endAccount(userId);
        drop(profileTag(userId), UNKNOWN_PROFILE, messagesTag(userId));
      },
      accountKept({ userId }) {
        sessions.accountChanged(userId);
        drop(UNKNOWN_PROFILE, messagesTag(userId));
      },
      userUpdated({ userId, changesPublic }) {
        if (changesPublic === true) drop(profileTag(userId), UNKNOWN_PROFILE);
      },
      messageCreated({ message }) {
        if (message) streams.messageChanged(message.userId, message.id, 'created');
      },
      messageRestored({ message }) {
        if (message) streams.messageChanged(message.userId, message.id, 'created');
      },
      messageUpdated({ message, changesInbox, changesPublic, endedSentId }) {
        if (!message) return;
        if (changesPublic === true) messagesChanged(message);
        if (changesInbox === true) streams.messageChanged(message.userId, message.id, 'updated');
        if (endedSentId !== undefined) streams.wayBackChanged(endedSentId, 'updated');
      },
      messageDeleted(deleted) {
        if (deleted.changesPublic === true) messagesChanged(deleted);
        streams.messageChanged(deleted.userId, deleted.messageId, 'deleted');
        streams.wayBackChanged(deleted.sentId ?? deleted.messageId, 'deleted');
      },
      replySaved(reply) {
        if (reply.changesPublic === true) messagesChanged(reply);
        streams.messageChanged(reply.userId, reply.messageId, 'updated');
        streams.wayBackChanged(reply.sentId ?? reply.messageId, 'updated');
      },
      notificationCreated: ({ account, notificationId, furtherIds }) =>
        streams.notify(account, [notificationId, ...furtherIds]),
      notificationsRead: ({ userId }) => streams.recount(userId),
    },
    () => {
      sessions.invalidateAll();
      streams.restart();
      for (const cache of caches) cache.invalidateAll();
    },
  );
}
