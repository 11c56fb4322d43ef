import { IDENTITY_HEADER, type Identity, type IdentitySigner } from '@najwa/common/identity';
import { REQUEST_ID_HEADER } from '@najwa/common/logging';
import { TRACEPARENT_HEADER } from '@najwa/common/tracing';
import { LIMITS } from '@najwa/proto/http/client';
import { z } from 'zod';
import type { UpstreamAnswer, Upstreams } from '../clients/upstreams.js';
import { headersForClient } from '../domain/headers.js';
import { TaggedCache, type RequestRef, type TaggedCacheOptions } from '../domain/tagged-cache.js';
import { isSameAnswer, publicAnswer, sizeOf, type CachedAnswer, type Headers, type PublicAnswer } from './answer.js';

export const UNKNOWN_PROFILE = 'profile/unknown';

export const profileTag = (userId: number): string => `profile/${userId}`;
export const messagesTag = (userId: number | string): string => `messages/${userId}`;

export type PublicCache = TaggedCache<PublicAnswer>;

const LIFETIME = { freshMs: 5_000, renewedMs: 5_000 };
/** No event can name a missing account. */
const MISSING_LIFETIME = { freshMs: 1_000 };
const NOT_STORED = { freshMs: 0 };
const STALE_MS = 60 * 60 * 1000;

/** Until something changes. Stale answers are served while their service is down. */
export const createPublicCache = ({
  maxBytes,
  ...options
}: Pick<TaggedCacheOptions<PublicAnswer>, 'isSubscribed' | 'now'> & { maxBytes: number }): PublicCache =>
  new TaggedCache<PublicAnswer>({
    maxSize: maxBytes,
    sizeOf: (answer, key) => sizeOf(answer) + key.length,
    tagsOf: ({ tags }) => tags,
    lifetimeOf: ({ status }) => (status === 200 ? LIFETIME : status === 404 ? MISSING_LIFETIME : NOT_STORED),
    staleMs: STALE_MS,
    isFault: ({ status }) => status >= 500 || status === 429,
    isSame: isSameAnswer,
    ...options,
  });

export interface PublicRead {
  operation: 'getPublicUser' | 'listPublicMessages' | 'getPublicMessage';
  service: 'auth' | 'messages';
  path: string;
  /** Undefined if no page of ours reads it: not cached. */
  tag?: string;
}

const PROFILE = /^\/api\/users\/([^/]+)\/?$/;
const PUBLIC_MESSAGES = /^\/api\/messages\/public\/([^/]+)\/?$/;

const OWN_SETTINGS = 'receiving';

const USERNAME = /^[a-z0-9._-]{1,64}$/;
const USER_ID = /^[1-9]\d{0,14}$/;

const PARAMETERS: readonly (readonly [name: string, value: RegExp])[] = [
  ['sort', /^(newest|oldest)$/],
  ['before', /^[1-9]\d{0,14}$/],
  ['limit', /^[1-9]\d{0,2}$/],
];

function canonicalQuery(query: string): string | undefined {
  if (query === '') return '';
  const given = new URLSearchParams(query);
  const parts: string[] = [];
  for (const [name, pattern] of PARAMETERS) {
    const [value, ...more] = given.getAll(name);
    if (value === undefined) continue;
    if (more.length > 0 || !pattern.test(value)) return undefined;
    parts.push(`${name}=${value}`);
    given.delete(name);
  }
  return given.size === 0 ? `?${parts.join('&')}` : undefined;
}

export function publicReadOf(target: string): PublicRead | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? '' : target.slice(mark + 1);

  const [, name] = PROFILE.exec(path) ?? [];
  if (name !== undefined) {
    if (name === OWN_SETTINGS) return undefined;
    // Profiles take no parameters; usernames ignore case.
    const key = decodeURIComponent(name).toLowerCase();
    return USERNAME.test(key)
      ? { operation: 'getPublicUser', service: 'auth', path: `/api/users/${key}`, tag: UNKNOWN_PROFILE }
      : { operation: 'getPublicUser', service: 'auth', path };
  }

  const [, userId] = PUBLIC_MESSAGES.exec(path) ?? [];
  if (userId === undefined) return undefined;
  const canonical = canonicalQuery(query);
  if (canonical === undefined || !USER_ID.test(userId))
    return { operation: 'listPublicMessages', service: 'messages', path: target };
  return {
    operation: 'listPublicMessages',
    service: 'messages',
    path: `/api/messages/public/${userId}${canonical}`,
    tag: messagesTag(userId),
  };
}

export const profileRead = (username: string): PublicRead | undefined => publicReadOf(`/api/users/${username}`);

export const firstMessagesRead = (userId: number): PublicRead | undefined =>
  publicReadOf(`/api/messages/public/${userId}?limit=${LIMITS.page.default}`);

export type ReadPublic = (read: PublicRead, request: RequestRef | undefined) => Promise<CachedAnswer>;

export interface ReadPublicDeps {
  publicCache: Pick<PublicCache, 'load'>;
  upstreams: Upstreams;
  sign: IdentitySigner['sign'];
}

/** Public answers need no caller. */
export const ANONYMOUS: Identity = { user: null, visitorId: 'edge', ip: '' };

const OWN_HEADERS = new Set([
  'accept-ranges',
  'cache-control',
  'content-length',
  'date',
  'etag',
  'last-modified',
  'set-cookie',
  'vary',
]);

export const passedHeaders = (headers: UpstreamAnswer['headers']): Headers =>
  Object.entries(headersForClient(headers)).filter(([name]) => !OWN_HEADERS.has(name));

const profile = z.object({ id: z.number() });

function accountIn(body: Buffer): number | undefined {
  try {
    return profile.parse(JSON.parse(body.toString('utf8'))).id;
  } catch {
    return undefined;
  }
}

export function createReadPublic({ publicCache, upstreams, sign }: ReadPublicDeps): ReadPublic {
  const fetch = async (
    { operation, service, path, tag }: PublicRead,
    request: RequestRef | undefined,
  ): Promise<PublicAnswer> => {
    const step = request?.span?.child(service, 'client');
    const { statusCode, headers, body } = await upstreams.read(service, {
      path,
      headers: {
        accept: 'application/json',
        [IDENTITY_HEADER]: await sign(ANONYMOUS, service),
        ...(request && { [REQUEST_ID_HEADER]: request.requestId }),
        ...(step && { [TRACEPARENT_HEADER]: step.traceparent }),
      },
      step,
    });
    const visited = operation === 'getPublicUser' && statusCode === 200 ? accountIn(body) : undefined;
    const tags = visited === undefined ? (tag === undefined ? [] : [tag]) : [profileTag(visited)];
    return publicAnswer({ operation, status: statusCode, headers: passedHeaders(headers), body, tags, visited });
  };
  return async (read, request) =>
    read.tag === undefined
      ? { value: await fetch(read, request), isStale: false }
      : publicCache.load(read.path, { tags: [read.tag], fetch: (context) => fetch(read, context.request) }, request);
}
