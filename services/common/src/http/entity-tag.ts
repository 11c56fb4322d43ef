import { createHash } from 'node:crypto';
import fresh from 'fresh';

/** A strong ETag of a body, including the quotes. */
export function entityTagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/**
 * Whether an If-None-Match header matches the tag, so that the response is 304. Uses weak comparison (RFC 9110,
 * 13.1.2). Ignores the request's Cache-Control, because fetch adds `no-cache` to conditional requests.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, entityTag: string): boolean {
  return ifNoneMatch !== undefined && fresh({ 'if-none-match': ifNoneMatch.trim() }, { etag: entityTag });
}

/** Whether an If-Match header names the tag, or any (RFC 9110, 13.1.1). */
export const hasEntityTag = (ifMatch: string, entityTag: string): boolean =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === entityTag);
