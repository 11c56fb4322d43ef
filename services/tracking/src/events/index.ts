import { accountErased, type EventHandlers } from '@najwa/common/amqp';
import type { MessageCreated, MessageSetAside, MessageState } from '@najwa/proto/events';
import type { TrackingContext } from '../context.js';
import type { Versioned } from '../db/records.js';
import { describeTrace } from '../domain/trace.js';

/** proto3 has no required message fields. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The event lacks a required field.');
  return value;
}

function stateOf(message: MessageState): Versioned {
  const { id, sentId = id, userId, content, isRead, isPublic, revision, createdAt, sentAt = createdAt } = message;
  return {
    messageId: sentId,
    revision,
    createdAt: required(sentAt),
    message: { userId, content, isRead, isPublic },
  };
}

/** Expired events must not recreate removed records. */
export function eventHandlers(
  context: TrackingContext,
): EventHandlers<'messageCreated' | 'messageSetAside' | 'messageUpdated' | 'messageDeleted' | 'accountDeleted'> {
  const { records, seals, retention, tracking, bus } = context;
  const recordCreation = async ({ message, sealedSender }: MessageCreated | MessageSetAside): Promise<void> => {
    const state = stateOf(required(message));
    const { messageId, createdAt } = state;
    if (retention.isOver(createdAt, new Date())) return;
    const readTrace = async () => describeTrace(context, await seals.openEvent(required(sealedSender), messageId));
    const sealed = tracking === 'off' ? undefined : await seals.seal(await readTrace(), messageId, createdAt);
    await records.recordCreation(state, sealed);
  };
  return {
    messageCreated: recordCreation,
    // Recorded already if it had been delivered.
    async messageSetAside(event) {
      if (event.sealedSender) await recordCreation(event);
    },
    async messageUpdated({ message, forgetsSender }) {
      const state = stateOf(required(message));
      if (forgetsSender) {
        await records.recordDeletion(state.messageId, state.createdAt);
        return;
      }
      if (retention.isOver(state.createdAt, new Date())) return;
      await records.recordChange(state);
    },
    async messageDeleted({ messageId, sentId = messageId, sentAt }) {
      await records.recordDeletion(sentId, required(sentAt));
    },
    async accountDeleted({ userId }, { occurredAt = new Date() }) {
      await records.recordDeletionsOf(userId, occurredAt);
      await bus.publish([accountErased(userId, 'tracking')]);
    },
  };
}
