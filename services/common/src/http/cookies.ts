import { createHash } from 'node:crypto';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** SHA-256 of a session token (32 bytes): only the hash is stored. */
export const hashSessionToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface CookieAttributes {
  httpOnly: true;
  sameSite: 'lax';
  path: '/';
  secure: boolean;
}

/**
 * Secure, except on loopback.
 * @param host Host header, with or without a port
 */
export function cookieAttributes(host: string | undefined): CookieAttributes {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: !LOOPBACK.test(host ?? '') };
}

export const FORWARDED_HOST_HEADER = 'x-forwarded-host';
