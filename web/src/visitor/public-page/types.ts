import type { Answer } from '@najwa/proto/http/client';
import type { ApiError } from '../../api/api-error.js';

export type PublicProfile = Answer<'getPublicUser'>;
export type PublicMessage = Answer<'listPublicMessages'>[number];

export type SentMessage = Answer<'createMessage'>;

/** Written into the HTML by the gateway: the first render needs no call. */
export interface PageData {
  profile: PublicProfile | null;
  messages?: FirstMessages | undefined;
  unsent?: Unsent | undefined;
}

export interface First {
  profile: PublicProfile;
  messages: FirstMessages;
}

export interface FirstMessages {
  items: PublicMessage[];
  link: string | null;
  total: number;
}

export interface Unsent {
  content: string;
  isLater?: boolean | undefined;
  error: Pick<ApiError, 'status' | 'code' | 'message' | 'retryAfter' | 'maxBytes'>;
}
