import type { EventBus } from '@najwa/common';
import type { PublicMemory } from '../domain/tagged-cache.js';
import type { Sessions } from '../domain/sessions.js';
import type { Streams } from '../domain/streams.js';

export interface EventsDeps {
  bus: EventBus;
  sessions: Sessions;
  memory: PublicMemory;
  pictures: PublicMemory;
  streams: Streams;
}

/** Versions before this field did not tell, so any change may have been public. */
const isPublic = ({ changesPublic = true }: { changesPublic?: boolean | undefined }): boolean => changesPublic;

/**
 * Drops cached entries whose public part an event changed, and tells event streams. A page that is read anew shows that to
 * anybody who polls, so nothing private may cause it. After events may have been missed, no entry is
 * trusted, and streams begin anew.
 */
export function subscribeToEvents({ bus, sessions, memory, pictures, streams }: EventsDeps): void {
  const inBoth = (change: (remembered: PublicMemory) => void): void => [memory, pictures].forEach(change);
  const messagesChanged = ({ userId }: { userId: number }): void =>
    inBoth((remembered) => remembered.messagesChanged(userId));
  bus.subscribe(
    {
      sessionEnded({ tokenHash }) {
        sessions.end(tokenHash);
        streams.endSession(tokenHash);
      },
      userCreated: () => inBoth((remembered) => remembered.profileCreated()),
      accountDeletionRequested({ userId }) {
        sessions.accountChanged(userId);
        streams.endAccount(userId);
        inBoth((remembered) => remembered.profileChanged(userId));
        messagesChanged({ userId });
      },
      accountKept({ userId }) {
        sessions.accountChanged(userId);
        inBoth((remembered) => remembered.profileCreated());
        messagesChanged({ userId });
      },
      userUpdated(updated) {
        if (isPublic(updated)) inBoth((remembered) => remembered.profileChanged(updated.userId));
      },
      messageCreated({ message }) {
        if (message) streams.messageChanged(message.userId, message.id, 'created');
      },
      messageRestored({ message }) {
        if (message) streams.messageChanged(message.userId, message.id, 'created');
      },
      messageUpdated(updated) {
        const { message, changesInbox } = updated;
        if (!message) return;
        if (isPublic(updated)) messagesChanged(message);
        if (changesInbox === true) streams.messageChanged(message.userId, message.id, 'updated');
      },
      messageDeleted(deleted) {
        if (isPublic(deleted)) messagesChanged(deleted);
        streams.messageChanged(deleted.userId, deleted.messageId, 'deleted');
        streams.wayBackChanged(deleted.sentId ?? deleted.messageId, 'deleted');
      },
      replySaved(reply) {
        if (isPublic(reply)) messagesChanged(reply);
        streams.messageChanged(reply.userId, reply.messageId, 'updated');
        streams.wayBackChanged(reply.sentId ?? reply.messageId, 'updated');
      },
      notificationCreated: ({ account, notificationId, furtherIds }) =>
        streams.notify(account, [notificationId, ...furtherIds]),
      notificationsRead: ({ userId }) => streams.recount(userId),
    },
    () => {
      sessions.clear();
      streams.restart();
      inBoth((remembered) => remembered.doubt());
    },
  );
}
