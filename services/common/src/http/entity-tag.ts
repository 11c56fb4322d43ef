import { createHash } from 'node:crypto';
import fresh from 'fresh';

/** Strong, including the quotes. */
export function entityTagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/**
 * Weak comparison of If-None-Match (RFC 9110, 13.1.2). Ignores Cache-Control: fetch adds `no-cache` to conditional
 * requests.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, entityTag: string): boolean {
  return ifNoneMatch !== undefined && fresh({ 'if-none-match': ifNoneMatch.trim() }, { etag: entityTag });
}

/** If-Match, also `*` (RFC 9110, 13.1.1). */
export const hasEntityTag = (ifMatch: string, entityTag: string): boolean =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === entityTag);
