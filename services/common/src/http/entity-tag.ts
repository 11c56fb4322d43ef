import { createHash } from 'node:crypto';
import fresh from 'fresh';

/** A strong ETag of a body, in its quotes. */
export function entityTagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/**
 * Whether an If-None-Match header names the tag, so that the answer is a 304. Compares weakly (RFC 9110, 13.1.2). Ignores the
 * request's Cache-Control: fetch adds `no-cache` to every condition.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, entityTag: string): boolean {
  return ifNoneMatch !== undefined && fresh({ 'if-none-match': ifNoneMatch.trim() }, { etag: entityTag });
}
