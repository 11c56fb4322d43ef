import type { User } from '@najwa/proto/auth';
import type { Conversation } from '@najwa/proto/chatbot';
import type { TrackingRecord } from '@najwa/proto/tracking';
import type { AuditRecord } from '../db/audit.js';

const timestamp = (date: Date | undefined): string => {
  if (date === undefined) throw new Error('A record has no date.');
  return date.toISOString();
};

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
    createdAt: timestamp(createdAt),
    message: presentMessage(message),
  };
}

function presentMessage(message: TrackingRecord['message']) {
  if (message === undefined) throw new Error('A record has no message.');
  const { content, isRead, isPublic, userId } = message;
  return { content, isRead, isPublic, userId };
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
    createdAt: timestamp(createdAt),
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
  if (!isAdmin) throw new Error('The created account is no administrator.');
  return { id, username, name, email, isAdmin, isVerified } as const;
}
