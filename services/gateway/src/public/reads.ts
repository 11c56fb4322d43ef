import { messagesTag, UNKNOWN_PROFILE } from './answer.js';

/** A read whose answer is the same for everyone. */
export interface PublicRead {
  operation: 'getPublicUser' | 'listPublicMessages' | 'getPublicMessage';
  service: 'auth' | 'messages';
  /** Path and query of the request to the service. The same for every way to write the same read. */
  path: string;
  /** Tags of the answer. Undefined for requests that no page of ours makes; those are not remembered. */
  tag?: string;
}

const PROFILE = /^\/api\/users\/([^/]+)\/?$/;
const PUBLIC_MESSAGES = /^\/api\/messages\/public\/([^/]+)\/?$/;

/** The part of /api/users that is no username: a reserved one. */
const OWN_SETTINGS = 'receiving';

const USERNAME = /^[a-z0-9._-]{1,64}$/;
const USER_ID = /^[1-9]\d{0,14}$/;

/** In the order in which they appear in a canonical query. */
const PARAMETERS: readonly (readonly [name: string, value: RegExp])[] = [
  ['sort', /^(newest|oldest)$/],
  ['before', /^[1-9]\d{0,14}$/],
  ['limit', /^[1-9]\d{0,2}$/],
];

/** The query in its canonical form, or undefined if it holds anything that the contract does not know. */
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

/** Reads a request target as a public read. Undefined if it is something else. */
export function publicReadOf(target: string): PublicRead | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? '' : target.slice(mark + 1);

  const [, name] = PROFILE.exec(path) ?? [];
  if (name !== undefined) {
    if (name === OWN_SETTINGS) return undefined;
    // Profiles take no parameters, and usernames ignore case.
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
