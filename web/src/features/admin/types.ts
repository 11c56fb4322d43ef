import type { Answer, Body } from '@najwa/proto/http/client';
import type { Page } from '../messages/index.js';

export type TrackingRecord = Answer<'listSenderTracking'>[number];

export interface TrackingFilter {
  userId?: number;
  text?: string;
}

/** A question to the assistant and its answer. */
export type Conversation = Answer<'listChatBotMessages'>[number];

/** What an administrator did, or tried to do. */
export type AuditEntry = Answer<'listAudit'>[number];

export type NewAdministrator = Required<Body<'createAdmin'>>;

/** The recipient of a message. */
export type Recipient = Pick<Answer<'getUserById'>, 'id' | 'username'>;

/** A page of a list with a total, if the server sent one. */
export interface CountedPage<T> extends Page<T> {
  total: number | null;
}
