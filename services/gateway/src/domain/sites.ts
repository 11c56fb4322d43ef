import { cookieAttributes } from '@najwa/common/http';
import type { RequestOrigin } from './request-origin.js';

/** The site under the name that the browser used. */
export interface Site {
  /** Such as `https://najwa.example`. */
  origin: string;
  /** Cookies are Secure, and browsers are told to stay with TLS. */
  isSecure: boolean;
  /** False if requests for this name are refused. */
  isServed: boolean;
}

/** Anyone can make up host names. */
const MAX_SITES = 1_000;

/**
 * Reads the site of a request.
 * @param hosts lower-case host names without ports; none means that any name is served
 */
export function createSiteReader(hosts: readonly string[]): (origin: RequestOrigin) => Site {
  const served = new Set(hosts);
  const sites = new Map<string, Site>();
  return ({ host, protocol }) => {
    const origin = `${protocol}://${host}`;
    const known = sites.get(origin);
    if (known !== undefined) return known;
    const site: Site = {
      origin,
      isSecure: cookieAttributes(host).secure,
      isServed: served.size === 0 || served.has(host.replace(/:\d*$/, '').toLowerCase()),
    };
    if (sites.size >= MAX_SITES) sites.clear();
    sites.set(origin, site);
    return site;
  };
}
