import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry, type OutboxEntry } from '@najwa/common';
import type { MessageDeleted, MessageState, MessageUpdated, SenderTrace } from '@najwa/proto/events';
import type { MessageRecord } from '../db/message-record.js';

function stateOf({
  id,
  userId,
  content,
  isRead,
  isPublic,
  imageName,
  audio,
  createdAt,
  revision,
}: MessageRecord): MessageState {
  return {
    id,
    userId,
    content,
    isRead,
    isPublic,
    imageName: imageName ?? '',
    audioName: audio?.name ?? '',
    createdAt,
    revision,
  };
}

export function messageCreated(message: MessageRecord, sender: SenderTrace): OutboxEntry {
  return outboxEntry(
    createEvent(randomUUID(), { $case: 'messageCreated', value: { message: stateOf(message), sender } }),
  );
}

export function updateOf(message: MessageRecord): MessageUpdated {
  return { message: stateOf(message) };
}

export function messageUpdated(message: MessageRecord): OutboxEntry {
  return outboxEntry(createEvent(randomUUID(), { $case: 'messageUpdated', value: updateOf(message) }));
}

/** @param message before its deletion */
export function deletionOf({ id, userId, revision, imageName, audio }: MessageRecord): MessageDeleted {
  return { messageId: id, userId, revision: revision + 1, imageName: imageName ?? '', audioName: audio?.name ?? '' };
}

export function messageDeleted(deletion: MessageDeleted): OutboxEntry {
  return outboxEntry(createEvent(randomUUID(), { $case: 'messageDeleted', value: deletion }));
}

export function replySaved({ id, userId }: MessageRecord): OutboxEntry {
  return outboxEntry(createEvent(randomUUID(), { $case: 'replySaved', value: { messageId: id, userId } }));
}
