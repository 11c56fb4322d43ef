/** A read that gives everybody the same answer. */
export interface PublicRead {
  service: 'auth' | 'messages';
  /** What the service is asked, with the query. */
  path: string;
  /** Under which the answer is remembered. Absent for a question that is not worth it, since no page of ours asks it. */
  key?: string;
}

/** How the keys of profiles begin. */
export const PROFILE_KEY = 'users/';

const PROFILE = /^\/api\/users\/([^/]+)\/?$/;
const PUBLIC_MESSAGES = /^\/api\/messages\/public\/([^/]+)\/?$/;

const USERNAME = /^[a-z0-9._-]{1,64}$/;
const USER_ID = /^[1-9]\d{0,14}$/;

/** In the order in which they stand in a key. */
const PARAMETERS: readonly (readonly [name: string, value: RegExp])[] = [
  ['sort', /^(newest|oldest)$/],
  ['before', /^[1-9]\d{0,14}$/],
  ['limit', /^[1-9]\d{0,2}$/],
];

/** The query in its one form, or undefined when there is anything in it that the contract does not know. */
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

/** Reads a request's target as a public read; undefined when it is something else. */
export function publicReadOf(target: string): PublicRead | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? '' : target.slice(mark + 1);

  const [, name] = PROFILE.exec(path) ?? [];
  if (name !== undefined) {
    // A profile has no parameters. Names differ in no more than their capitals.
    const key = decodeURIComponent(name).toLowerCase();
    return USERNAME.test(key)
      ? { service: 'auth', path: `/api/users/${key}`, key: `${PROFILE_KEY}${key}` }
      : { service: 'auth', path };
  }

  const [, userId] = PUBLIC_MESSAGES.exec(path) ?? [];
  if (userId === undefined) return undefined;
  const canonical = canonicalQuery(query);
  if (canonical === undefined || !USER_ID.test(userId)) return { service: 'messages', path: target };
  return {
    service: 'messages',
    path: `/api/messages/public/${userId}${canonical}`,
    key: `messages/${userId}${canonical}`,
  };
}
