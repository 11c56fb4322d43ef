import type { Sighting } from '@najwa/proto/events';
import { LRUCache } from 'lru-cache';

export interface Sightings {
  /** Notes that an account did something. */
  note(userId: number): void;
}

/** An account that is at work is told of this often, and no oftener. */
const SILENT_FOR_MS = 30_000;
const MAX_REMEMBERED = 100_000;

export function createSightings(queue: (sighting: Sighting) => void): Sightings {
  const recent = new LRUCache<number, true>({ max: MAX_REMEMBERED, ttl: SILENT_FOR_MS });
  return {
    note(userId) {
      if (recent.has(userId)) return;
      recent.set(userId, true);
      queue({ userId, at: new Date() });
    },
  };
}
