import type { Answer, Body } from '@najwa/proto/http/client';
import type { Page } from '../../api/paging.js';

export type TrackingRecord = Answer<'listSenderTracking'>[number];

export interface TrackingFilter {
  userId?: number;
  text?: string;
}

export type Conversation = Answer<'listChatBotMessages'>[number];

/** Includes failed actions. */
export type AuditEntry = Answer<'listAudit'>[number];

export type ReportedMessage = Answer<'listReportedMessages'>[number];

export type Action = Answer<'actOnReport'>;

export type ReportCounts = Answer<'countReportedMessages'>;

export type ReportFilter = 'open' | 'mine' | 'closed';

export type NewAdministrator = Required<Body<'createAdmin'>>;

export type Recipient = Pick<Answer<'getUserById'>, 'id' | 'username'>;

export interface CountedPage<T> extends Page<T> {
  total: number | null;
}
