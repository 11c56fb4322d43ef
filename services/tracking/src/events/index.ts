import type { EventHandlers } from '@najwa/common';
import type { MessageState } from '@najwa/proto/events';
import type { TrackingContext } from '../context.js';
import type { Versioned } from '../db/records.js';
import { describeTrace } from '../domain/trace.js';

/** proto3 cannot mark a message field as required. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The event lacks a required field.');
  return value;
}

function stateOf(message: MessageState): Versioned {
  const { id, userId, content, isRead, isPublic, revision, createdAt } = message;
  return { messageId: id, revision, createdAt: required(createdAt), message: { userId, content, isRead, isPublic } };
}

/** Ignores expired events, so that a late one does not recreate a record that was removed. */
export function eventHandlers(
  context: TrackingContext,
): EventHandlers<'messageCreated' | 'messageUpdated' | 'messageDeleted'> {
  const { records, retention } = context;
  return {
    async messageCreated({ message, sender }) {
      const state = stateOf(required(message));
      if (retention.isOver(state.createdAt, new Date())) return;
      await records.recordCreation(state, describeTrace(context, required(sender)));
    },
    async messageUpdated({ message }) {
      const state = stateOf(required(message));
      if (retention.isOver(state.createdAt, new Date())) return;
      await records.recordChange(state);
    },
    async messageDeleted({ messageId }) {
      await records.recordDeletion(messageId);
    },
  };
}
