const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** The cookie that carries the session token. */
export const SESSION_COOKIE = 'najwa_session';

export interface CookieAttributes {
  httpOnly: true;
  sameSite: 'lax';
  path: '/';
  secure: boolean;
}

/**
 * The attributes of every cookie of ours: out of reach of scripts, kept from cross-site posts, and only over TLS
 * wherever the site is not on the loopback of one machine.
 * @param host as the browser named it, with or without a port
 */
export function cookieAttributes(host: string | undefined): CookieAttributes {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: !LOOPBACK.test(host ?? '') };
}

/** The header in which the gateway says which host the browser named. */
export const FORWARDED_HOST_HEADER = 'x-forwarded-host';
