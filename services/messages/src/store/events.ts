import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry, type OutboxEntry } from '@najwa/common/amqp';
import type { MessageDeleted, MessageState, MessageUpdated, SealedTrace } from '@najwa/proto/events';
import {
  isPublished,
  isShownAside,
  NO_ACCOUNT,
  originOf,
  placeOf,
  type Change,
  type MessageRecord,
} from './message-record.js';

function stateOf(message: MessageRecord): MessageState {
  const { id, sentAs, userId, content, isRead, imageName, audio, createdAt, revision } = message;
  const { isReported = false, isWithheld = false } = message;
  return {
    id,
    userId,
    content,
    isRead,
    // Not public if removed by moderators or if the account is closed.
    isPublic: isPublished(message) && !isWithheld,
    imageName: imageName ?? '',
    audioName: audio?.name ?? '',
    createdAt,
    revision,
    isReported,
    sentId: sentAs && originOf(message).id,
    sentAt: sentAs?.at,
    conversationId: message.conversation && message.conversation.turn > 1 ? message.conversation.id : undefined,
  };
}

export function messageCreated(message: MessageRecord, sealedSender: SealedTrace): OutboxEntry {
  const value = { message: stateOf(message), sealedSender };
  return outboxEntry(createEvent(randomUUID(), { $case: 'messageCreated', value }));
}

/** @param sealedSender unset if the message had arrived before */
export function messageSetAside(message: MessageRecord, sealedSender?: SealedTrace): OutboxEntry {
  const value = { message: stateOf(message), sealedSender };
  return outboxEntry(createEvent(randomUUID(), { $case: 'messageSetAside', value }));
}

/** @param isNew whether its recipient has never seen it */
export function messageRestored(message: MessageRecord, { isNew = false } = {}): OutboxEntry {
  const value = { message: stateOf(message), isNew };
  return outboxEntry(createEvent(randomUUID(), { $case: 'messageRestored', value }));
}

export const updateOf = (message: MessageRecord): MessageUpdated => ({ message: stateOf(message) });

/** @param more without `changesInbox` for what a sender does: the recipient must not notice */
export function messageUpdated({ after, changesPublic }: Change, more: Partial<MessageUpdated> = {}): OutboxEntry {
  const value = { ...updateOf(after), changesPublic, ...more };
  return outboxEntry(createEvent(randomUUID(), { $case: 'messageUpdated', value }));
}

/**
 * Omits a recipient that never saw the message or no longer does, unless it deletes the message.
 * @param message before its deletion
 */
export function deletionOf(message: MessageRecord): MessageDeleted {
  const { id, userId, revision, imageName, audio, aside, isReported = false } = message;
  const isKnown = aside === null || aside.reason === 'deleted' || isShownAside(aside);
  return {
    messageId: id,
    userId: isKnown ? userId : NO_ACCOUNT,
    revision: revision + 1,
    imageName: imageName ?? '',
    audioName: audio?.name ?? '',
    isReported,
    changesPublic: isPublished(message),
    sentId: message.sentAs && originOf(message).id,
    sentAt: originOf(message).at,
  };
}

export function messageDeleted(deletion: MessageDeleted): OutboxEntry {
  return outboxEntry(createEvent(randomUUID(), { $case: 'messageDeleted', value: deletion }));
}

export function replySaved({ after, changesPublic }: Change): OutboxEntry {
  const { id: messageId, userId } = after;
  const { sentId } = placeOf(after);
  const value = { messageId, userId, changesPublic, sentId: sentId === messageId ? undefined : sentId };
  return outboxEntry(createEvent(randomUUID(), { $case: 'replySaved', value }));
}
