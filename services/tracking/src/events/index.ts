import type { EventHandlers } from '@najwa/common';
import type { MessageState } from '@najwa/proto/events';
import type { TrackingContext } from '../context.js';
import type { Versioned } from '../db/records.js';

/** A field that the contract always carries, and that proto3 cannot say is required. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The event lacks a part that it must have.');
  return value;
}

function stateOf(message: MessageState): Versioned {
  const { id, userId, content, isRead, isPublic, revision, createdAt } = message;
  return { messageId: id, revision, createdAt: required(createdAt), message: { userId, content, isRead, isPublic } };
}

export function eventHandlers({ records }: TrackingContext): EventHandlers<'messageCreated' | 'messageUpdated' | 'messageDeleted'> {
  return {
    async messageCreated({ message, sender }) {
      const { ipAddress, userAgent, referrer, language } = required(sender);
      await records.recordCreation(stateOf(required(message)), { ipAddress, userAgent, referrer, language });
    },
    async messageUpdated({ message }) {
      await records.recordChange(stateOf(required(message)));
    },
    async messageDeleted({ messageId }) {
      await records.recordDeletion(messageId);
    },
  };
}
