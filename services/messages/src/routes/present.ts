import { truncateToMinute } from '@najwa/common';
import type { User } from '@najwa/proto/auth';
import type { MessageRecord, ReplyRecord } from '../db/message-record.js';

/** A message for anyone who may read it. No field says who sent it. */
export function presentMessage(message: MessageRecord) {
  const { id, userId, content, isRead, isPublic, imageName, audio, createdAt, reply } = message;
  return {
    id,
    userId,
    content,
    isRead,
    isPublic,
    imageUrl: imageName && `/image/${imageName}`,
    audioUrl: audio && `/audio/stream/${audio.name}`,
    audioType: audio?.contentType ?? null,
    audioDuration: audio && Math.max(1, Math.round(audio.duration)),
    audioPeaks: audio?.peaks ?? null,
    emoji: null,
    createdAt: truncateToMinute(createdAt),
    reply: reply && { content: reply.content, createdAt: reply.createdAt.toISOString() },
  };
}

/** A message for the account that sent it. */
export function presentSentMessage(message: MessageRecord, senderUserId: number, recipient: User | undefined) {
  return {
    ...presentMessage(message),
    createdAt: message.createdAt.toISOString(),
    senderUserId,
    recipient: recipient ? { username: recipient.username, name: recipient.name } : null,
  };
}

export function presentReply(messageId: number, { id, content, createdAt }: ReplyRecord) {
  return { id, messageId, content, createdAt: createdAt.toISOString() };
}
