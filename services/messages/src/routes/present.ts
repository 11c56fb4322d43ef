import { truncateToMinute } from '@najwa/common';
import type { User } from '@najwa/proto/auth';
import type { MessageRecord, ReplyRecord } from '../db/messages.js';

/** A message for anybody but its sender: no field that could say who that is. */
export function presentMessage({ id, userId, content, isRead, isPublic, imageName, audio, createdAt }: MessageRecord) {
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
  };
}

/** A message for the account that sent it. */
export function presentSentMessage(message: MessageRecord, recipient: User | undefined) {
  return {
    ...presentMessage(message),
    createdAt: message.createdAt.toISOString(),
    senderUserId: message.senderUserId,
    recipient: recipient ? { username: recipient.username, name: recipient.name } : null,
  };
}

/** A message on the public page. */
export function presentPublicMessage(message: MessageRecord) {
  const { reply } = message;
  return {
    ...presentMessage(message),
    reply: reply && { content: reply.content, createdAt: reply.createdAt.toISOString() },
  };
}

export function presentReply(messageId: number, { id, content, createdAt }: ReplyRecord) {
  return { id, messageId, content, createdAt: createdAt.toISOString() };
}
