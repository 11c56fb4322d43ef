import type { Answer, Body } from '@najwa/proto/http/client';
import type { Page } from '../../app/paging.js';

export type TrackingRecord = Answer<'listSenderTracking'>[number];

export interface TrackingFilter {
  userId?: number;
  text?: string;
}

/** A question to the assistant and its answer. */
export type Conversation = Answer<'listChatBotMessages'>[number];

/** An action of an administrator, also one that failed. */
export type AuditEntry = Answer<'listAudit'>[number];

export type ReportedMessage = Answer<'listReportedMessages'>[number];

/** Action of a moderator. */
export type Action = Answer<'actOnReport'>;

export type ReportCounts = Answer<'countReportedMessages'>;

export type ReportFilter = 'open' | 'mine' | 'closed';

export type NewAdministrator = Required<Body<'createAdmin'>>;

/** The recipient of a message. */
export type Recipient = Pick<Answer<'getUserById'>, 'id' | 'username'>;

/** A page of a list with a total, if the server sent one. */
export interface CountedPage<T> extends Page<T> {
  total: number | null;
}
