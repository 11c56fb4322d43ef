import { createHash } from 'node:crypto';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** SHA-256 of a session token (32 bytes). Only the hash is stored and used for lookups. */
export const hashSessionToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface CookieAttributes {
  httpOnly: true;
  sameSite: 'lax';
  path: '/';
  secure: boolean;
}

/**
 * Attributes of all our cookies: HttpOnly, SameSite=Lax, and Secure unless the site runs on the loopback interface.
 * @param host Host header of the browser, with or without a port
 */
export function cookieAttributes(host: string | undefined): CookieAttributes {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: !LOOPBACK.test(host ?? '') };
}

/** Header with the host that the browser requested, set by the gateway. */
export const FORWARDED_HOST_HEADER = 'x-forwarded-host';
