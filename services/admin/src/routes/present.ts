import type { User } from '@najwa/proto/auth';
import type { Conversation } from '@najwa/proto/chatbot';
import type { ModerationAction, ReportReason } from '@najwa/proto/http';
import type { Action, Report } from '@najwa/proto/messages';
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

export function presentAdministrator({ id, username, name, isAdmin, isModerator, isVerified }: User, email: string) {
  if (!isAdmin && !isModerator) throw new Error('The created account has no role.');
  const role = isAdmin ? 'administrator' : 'moderator';
  return { id, username, name, email, role, isAdmin, isVerified } as const;
}

/** Most frequent first. */
const namesOf = (counts: Record<string, number>): string[] =>
  Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name]) => name);

const MANY = 4;

/** An exact number would let a moderator recognise a sender. */
const stepOf = (count: number): 'some' | 'many' => (count < MANY ? 'some' : 'many');

/** @param usernames of moderators */
export function presentReport(report: Report, usernames: ReadonlyMap<number, string>) {
  const { id, reasons, comments, reports, senderReportedBefore, senderActions, createdAt, status, assignedTo } = report;
  return {
    id,
    message: presentReportedMessage(report.message),
    reasons: namesOf(reasons) as ReportReason[],
    reasonCounts: reasons,
    comments,
    reports,
    senderReportedBefore: senderReportedBefore === 0 ? ('none' as const) : stepOf(senderReportedBefore),
    senderActions: Object.fromEntries(Object.entries(senderActions).map(([action, count]) => [action, stepOf(count)])),
    createdAt: timestamp(createdAt),
    status: status === 'open' ? ('open' as const) : ('closed' as const),
    assignedTo: usernames.get(assignedTo) ?? null,
    actions: report.actions.map((action) => presentAction(action, usernames)),
  };
}

function presentReportedMessage(message: Report['message']) {
  if (message === undefined) throw new Error('A report has no message.');
  const { content, isPublic, imageName, audioName, audioDuration, audioPeaks, createdAt } = message;
  const hasAudio = audioName !== '';
  return {
    content,
    isPublic,
    imageUrl: imageName === '' ? null : `/image/${imageName}`,
    audioUrl: hasAudio ? `/audio/stream/${audioName}` : null,
    audioDuration: hasAudio ? Math.max(1, Math.round(audioDuration)) : null,
    audioPeaks: hasAudio ? audioPeaks : null,
    createdAt: timestamp(createdAt),
  };
}

export function presentAction(
  { id, reportId, action, reason, days, actorId, createdAt, undone }: Action,
  usernames: ReadonlyMap<number, string>,
) {
  return {
    id,
    reportId,
    action: action as ModerationAction,
    reason,
    days: days === 0 ? null : days,
    by: usernames.get(actorId) ?? null,
    createdAt: timestamp(createdAt),
    undone: undone
      ? { by: usernames.get(undone.actorId) ?? null, reason: undone.reason, createdAt: timestamp(undone.createdAt) }
      : null,
  };
}
