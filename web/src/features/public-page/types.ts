import type { Answer } from '@najwa/proto/http/client';
import type { ApiError } from '../../app/api-error.js';

export type PublicProfile = Answer<'getPublicUser'>;
export type PublicMessage = Answer<'listPublicMessages'>[number];

export type SentMessage = Answer<'createMessage'>;

/** Data that the gateway writes into the page's HTML, so that the first render needs no call. */
export interface PageData {
  /** Null for a username that nobody has. */
  profile: PublicProfile | null;
  messages?: FirstMessages | undefined;
  unsent?: Unsent | undefined;
}

/** The part of an account that its HTML has. */
export interface First {
  profile: PublicProfile;
  messages: FirstMessages;
}

export interface FirstMessages {
  items: PublicMessage[];
  link: string | null;
  total: number;
}

/** A text that the form could not send without scripts, with the server's error. */
export interface Unsent {
  content: string;
  error: Pick<ApiError, 'status' | 'code' | 'message' | 'retryAfter' | 'maxBytes'>;
}
