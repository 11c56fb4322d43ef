import type { OperationId } from '@najwa/proto/http/client';
import type { PresenceUpdate } from '@najwa/proto/events';
import { LRUCache } from 'lru-cache';

export interface PresenceUpdates {
  /** Tells auth that an account is online, if it reads one of its own pages. */
  note(userId: number, operation: OperationId, url: string): void;
}

/**
 * The only operations that set presence: the client calls them on the inbox, profile and settings pages, and nowhere
 * else. It calls the others on another's page too, or as part of sending; presence would then show who has just sent
 * something. Nor does anything count that others can cause: what a notice of a reply leads to (`listSentMessages`), and
 * messages that an open page reads again because they changed, which it names by their ids.
 */
const OWN_PAGE_READS: ReadonlySet<OperationId> = new Set(['listMessages', 'listSessions']);

const NAMES_MESSAGES = /[?&]ids=/;

const UPDATE_INTERVAL_MS = 30_000;
const MAX_ENTRIES = 100_000;

/**
 * Queues at most one presence update per account in half a minute.
 * @param now a time that never goes back, in milliseconds
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
