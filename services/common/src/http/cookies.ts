import { createHash } from 'node:crypto';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** The cookie that carries the session token. */
export const SESSION_COOKIE = 'najwa_session';

/** What is stored of a session token, and what the gateway looks it up by: SHA-256, 32 bytes. */
export const hashSessionToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface CookieAttributes {
  httpOnly: true;
  sameSite: 'lax';
  path: '/';
  secure: boolean;
}

/**
 * The attributes of every cookie of ours: hidden from scripts, not sent with cross-site posts, and only over TLS unless
 * the site runs on the loopback interface.
 * @param host as the browser named it, with or without a port
 */
export function cookieAttributes(host: string | undefined): CookieAttributes {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: !LOOPBACK.test(host ?? '') };
}

/** The header in which the gateway says which host the browser named. */
export const FORWARDED_HOST_HEADER = 'x-forwarded-host';
