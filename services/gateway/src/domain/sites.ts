import { cookieAttributes } from '@najwa/common/http';
import type { RequestOrigin } from './request-origin.js';

export interface Site {
  origin: string;
  isSecure: boolean;
  isServed: boolean;
}

/** Clients invent host names. */
const MAX_SITES = 1_000;

/** @param hosts lower case, without ports; all if empty */
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
