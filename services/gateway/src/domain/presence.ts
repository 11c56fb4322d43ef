import type { OperationId } from '@najwa/proto/http/client';
import type { PresenceUpdate } from '@najwa/proto/events';
import { LRUCache } from 'lru-cache';

export interface PresenceUpdates {
  /** Tells auth that an account is online, if the operation reads one of its own pages. */
  note(userId: number, operation: OperationId): void;
}

/**
 * The only operations that set presence: the client calls them on the inbox, profile and settings pages, and nowhere
 * else. It calls the others on another's page too, or as part of sending; presence would then show who has just sent
 * something.
 */
const OWN_PAGE_READS: ReadonlySet<OperationId> = new Set(['listMessages', 'listSessions']);

const UPDATE_INTERVAL_MS = 30_000;
const MAX_ENTRIES = 100_000;

/** Queues at most one presence update per account in half a minute. */
export function createPresenceUpdates(queue: (update: PresenceUpdate) => void): PresenceUpdates {
  const recent = new LRUCache<number, true>({ max: MAX_ENTRIES, ttl: UPDATE_INTERVAL_MS });
  return {
    note(userId, operation) {
      if (!OWN_PAGE_READS.has(operation) || recent.has(userId)) return;
      recent.set(userId, true);
      queue({ userId, at: new Date() });
    },
  };
}
