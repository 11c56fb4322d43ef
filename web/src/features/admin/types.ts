import type { Page } from '../messages/index.js';

/** Where a message came from; null where nothing is known. */
export interface TrackingRecord {
  id: number;
  messageId: number;
  ipAddress: string | null;
  userAgent: string | null;
  browser: string | null;
  operatingSystem: string | null;
  device: string | null;
  location: string | null;
  referrer: string | null;
  language: string | null;
  additionalData: { acceptedLanguages: string[] } | null;
  createdAt: string;
  message: {
    content: string;
    isRead: boolean;
    isPublic: boolean;
    /** The recipient. */
    userId: number;
  };
}

export interface TrackingFilter {
  userId?: number;
  text?: string;
}

/** A question to the assistant and its answer. */
export interface Conversation {
  id: number;
  userId: number | null;
  userName: string | null;
  isVisitor: boolean;
  userMessage: string;
  botResponse: string;
  hasImage: boolean;
  imageUrl: string | null;
  isUsingLocalSystem: boolean;
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: string;
}

/** What an administrator did, or tried to do. */
export interface AuditEntry {
  id: number;
  /** Null for a visitor. */
  userId: number | null;
  username: string | null;
  ipAddress: string | null;
  action:
    | 'tracking.list'
    | 'conversations.list'
    | 'conversation.delete'
    | 'conversations.delete_all'
    | 'administrator.create';
  outcome: 'begun' | 'done' | 'refused' | 'failed';
  /** Ids, counts, codes and usernames. */
  details: Record<string, unknown>;
  createdAt: string;
}

export interface NewAdministrator {
  adminSecret: string;
  name: string;
  username: string;
  email: string;
  password: string;
  createVerified: boolean;
}

/** To whom a message went. */
export interface Recipient {
  id: number;
  username: string;
}

/** A page of a list with a total, if the server sent one. */
export interface CountedPage<T> extends Page<T> {
  total: number | null;
}
