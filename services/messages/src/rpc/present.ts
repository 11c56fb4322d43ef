import type { Message } from '@najwa/proto/messages';
import type { MessageRecord } from '../db/messages.js';

export function presentMessage({ id, userId, content, isRead, isPublic, createdAt }: MessageRecord): Message {
  return { id, userId, content, isRead, isPublic, createdAt };
}
