import type { User } from '@najwa/proto/auth';
import type { Conversation } from '@najwa/proto/chatbot';
import type { TrackingRecord } from '@najwa/proto/tracking';
import type { AuditRecord } from '../db/audit.js';

const orNull = (text: string): string | null => (text === '' ? null : text);

export function presentTrackingRecord(record: TrackingRecord) {
  const {
    id,
    messageId,
    ipAddress,
    userAgent,
    browser,
    operatingSystem,
    device,
    location,
    referrer,
    language,
    additionalData,
    createdAt,
    message,
  } = record;
  return {
    id,
    messageId,
    ipAddress: orNull(ipAddress),
    userAgent: orNull(userAgent),
    browser: orNull(browser),
    operatingSystem: orNull(operatingSystem),
    device: orNull(device),
    location: orNull(location),
    referrer: orNull(referrer),
    language: orNull(language),
    additionalData: additionalData ? { acceptedLanguages: additionalData.acceptedLanguages } : null,
    createdAt: createdAt?.toISOString(),
    message: message && {
      content: message.content,
      isRead: message.isRead,
      isPublic: message.isPublic,
      userId: message.userId,
    },
  };
}

export function presentConversation(conversation: Conversation) {
  const {
    id,
    userId,
    userName,
    userMessage,
    botResponse,
    imageName,
    isUsingLocalSystem,
    ipAddress,
    userAgent,
    createdAt,
  } = conversation;
  return {
    id,
    userId: userId === 0 ? null : userId,
    userName: orNull(userName),
    isVisitor: userId === 0,
    userMessage,
    botResponse,
    hasImage: imageName !== '',
    imageUrl: imageName === '' ? null : `/image/${imageName}`,
    isUsingLocalSystem,
    ipAddress: orNull(ipAddress),
    userAgent: orNull(userAgent),
    createdAt: createdAt?.toISOString(),
  };
}

export function presentAuditEntry(
  { id, userId, ipAddress, action, outcome, details, createdAt }: AuditRecord,
  username: string | undefined,
) {
  return {
    id,
    userId,
    username: username ?? null,
    ipAddress: orNull(ipAddress),
    action,
    outcome,
    details,
    createdAt: createdAt.toISOString(),
  };
}

export function presentAdministrator({ id, username, name, isAdmin, isVerified }: User, email: string) {
  return { id, username, name, email, isAdmin, isVerified };
}
