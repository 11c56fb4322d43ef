import type { OperationId } from '@najwa/proto/http/client';
import type { PresenceUpdate } from '@najwa/proto/events';
import { LRUCache } from 'lru-cache';

export interface PresenceUpdates {
  note(userId: number, operation: OperationId, url: string): void;
}

/**
 * Only called on own pages: inbox, profile, settings. Other operations would reveal who has just sent something, or
 * react to what others cause: a notice of a reply (`listSentMessages`), or changed messages, which a page reads by
 * their ids.
 */
const OWN_PAGE_READS: ReadonlySet<OperationId> = new Set(['listMessages', 'listSessions']);

const NAMES_MESSAGES = /[?&]ids=/;

const UPDATE_INTERVAL_MS = 30_000;
const MAX_ENTRIES = 100_000;

/**
 * At most one update per account in half a minute.
 * @param now monotonic
 */
export function createPresenceUpdates(
  queue: (update: PresenceUpdate) => void,
  now = () => performance.now(),
): PresenceUpdates {
  const recent = new LRUCache<number, true>({ max: MAX_ENTRIES, ttl: UPDATE_INTERVAL_MS, perf: { now } });
  return {
    note(userId, operation, url) {
      if (!OWN_PAGE_READS.has(operation) || NAMES_MESSAGES.test(url) || recent.has(userId)) return;
      recent.set(userId, true);
      queue({ userId, at: new Date() });
    },
  };
}
