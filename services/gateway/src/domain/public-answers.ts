import { entityTagOf } from '@najwa/common';
import { z } from 'zod';
import { createFreshCache } from './fresh-cache.js';
import { PROFILE_KEY } from './public-reads.js';

/** A whole answer to a public read. */
export interface PublicAnswer {
  status: number;
  /** Without those that are about the connection or about caching. */
  headers: readonly (readonly [name: string, value: string | string[]])[];
  /** A character a byte ("latin1"): node sends a string together with the head, and a buffer apart from it. */
  body: string;
  entityTag: string;
}

export interface PublicAnswersOptions {
  /** Whether a change would be heard of. */
  hearsEvents: () => boolean;
  maxBytes?: number;
}

/** Answers to public reads, each until something that it shows changes. */
export interface PublicAnswers {
  peek(key: string): PublicAnswer | undefined;
  load(key: string, fetch: () => Promise<PublicAnswer>): Promise<PublicAnswer>;
  profileCreated(): void;
  profileChanged(userId: number): void;
  messagesChanged(userId: number): void;
  forgetAll(): void;
}

const MAX_BYTES = 64 * 1024 * 1024;
const LIFETIME_MS = 5_000;
const LIFETIME_WITHOUT_EVENTS_MS = 1_000;
/** Of an account that is not there: events about it cannot name it. */
const MISSING_LIFETIME_MS = 1_000;
/** What an entry takes beside its body, roughly. */
const ENTRY_BYTES = 600;

/** A profile of which it is not known whose it is: it is being fetched, or there is none. */
const UNKNOWN_PROFILE = 'profile/unknown';

const profile = z.object({ id: z.number() });

function profileTag(answer: PublicAnswer | undefined): string {
  if (answer?.status !== 200) return UNKNOWN_PROFILE;
  try {
    return `profile/${profile.parse(JSON.parse(Buffer.from(answer.body, 'latin1').toString('utf8'))).id}`;
  } catch {
    return UNKNOWN_PROFILE;
  }
}

const messagesTag = (userId: number | string): string => `messages/${userId}`;

function tagsOf(key: string, answer: PublicAnswer | undefined): string[] {
  if (key.startsWith(PROFILE_KEY)) return [profileTag(answer)];
  const [, userId = ''] = /^messages\/(\d+)/.exec(key) ?? [];
  return [messagesTag(userId)];
}

export function createPublicAnswers({ hearsEvents, maxBytes = MAX_BYTES }: PublicAnswersOptions): PublicAnswers {
  const cache = createFreshCache<PublicAnswer>({
    maxSize: maxBytes,
    sizeOf: ({ body }) => body.length + ENTRY_BYTES,
    lifetimeMs: ({ status }) => {
      if (status === 404) return MISSING_LIFETIME_MS;
      if (status !== 200) return 0;
      return hearsEvents() ? LIFETIME_MS : LIFETIME_WITHOUT_EVENTS_MS;
    },
    tagsOf,
  });
  return {
    peek: (key) => cache.peek(key),
    load: (key, fetch) => cache.load(key, fetch),
    profileCreated: () => cache.drop(UNKNOWN_PROFILE),
    profileChanged: (userId) => {
      cache.drop(`profile/${userId}`);
      cache.drop(UNKNOWN_PROFILE);
    },
    messagesChanged: (userId) => cache.drop(messagesTag(userId)),
    forgetAll: () => cache.clear(),
  };
}

/** Completes an answer with its tag. */
export function publicAnswer(status: number, headers: PublicAnswer['headers'], body: Buffer): PublicAnswer {
  return { status, headers, body: body.toString('latin1'), entityTag: entityTagOf(body) };
}
