import { createHash } from 'node:crypto';
import type { Identity } from '@najwa/common';

/** Who asks, as a hash: it finds a caller's own things again, and does not say who that is. */
export function callerOf({ user, visitorId }: Identity): string {
  return createHash('sha256')
    .update(user ? `user ${user.id}` : `visitor ${visitorId}`)
    .digest('base64url');
}
