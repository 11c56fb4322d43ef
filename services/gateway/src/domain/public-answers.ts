import { entityTagOf } from '@najwa/common';
import { z } from 'zod';
import { createFreshCache } from './fresh-cache.js';
import { PROFILE_KEY } from './public-reads.js';

/** A complete answer to a public read. */
export interface PublicAnswer {
  status: number;
  /** Without headers about the connection or about caching. */
  headers: readonly (readonly [name: string, value: string | string[]])[];
  /**
   * One character per byte ("latin1"): node sends a string in one write with the head, but a buffer in a second one.
   */
  body: string;
  entityTag: string;
}

export interface PublicAnswersOptions {
  /** Whether events arrive, so that a change would be noticed. */
  isSubscribed: () => boolean;
  maxBytes?: number;
}

/** Caches answers to public reads until something in them changes. */
export interface PublicAnswers {
  peek(key: string): PublicAnswer | undefined;
  load(key: string, fetch: () => Promise<PublicAnswer>): Promise<PublicAnswer>;
  profileCreated(): void;
  profileChanged(userId: number): void;
  messagesChanged(userId: number): void;
  clear(): void;
}

const MAX_BYTES = 64 * 1024 * 1024;
const LIFETIME_MS = 5_000;
const LIFETIME_WITHOUT_EVENTS_MS = 1_000;
/** For an account that does not exist: no event can name it. */
const MISSING_LIFETIME_MS = 1_000;
/** Rough size of an entry without its body. */
const ENTRY_BYTES = 600;

/** Tag of a profile without a known id: it is being fetched, or does not exist. */
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

export function createPublicAnswers({ isSubscribed, maxBytes = MAX_BYTES }: PublicAnswersOptions): PublicAnswers {
  const cache = createFreshCache<PublicAnswer>({
    maxSize: maxBytes,
    sizeOf: ({ body }) => body.length + ENTRY_BYTES,
    lifetimeMs: ({ status }) => {
      if (status === 404) return MISSING_LIFETIME_MS;
      if (status !== 200) return 0;
      return isSubscribed() ? LIFETIME_MS : LIFETIME_WITHOUT_EVENTS_MS;
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
    clear: () => cache.clear(),
  };
}

/** Builds an answer and its entity tag. */
export function publicAnswer(status: number, headers: PublicAnswer['headers'], body: Buffer): PublicAnswer {
  return { status, headers, body: body.toString('latin1'), entityTag: entityTagOf(body) };
}
