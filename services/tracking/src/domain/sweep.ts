import type { TrackingContext } from '../context.js';

const BATCH = 1_000;

/**
 * Removes what is past its time: records, and tombstones as well, since by then the events that they ward off are past
 * their time too. A TTL index would not do: it keeps the time that was configured when it was made.
 */
export async function sweep({ records, retention }: TrackingContext, now: Date): Promise<void> {
  const cutoff = retention.cutoff(now);
  let removed: number;
  do {
    removed = await records.removeOlderThan(cutoff, BATCH);
  } while (removed === BATCH);
}
