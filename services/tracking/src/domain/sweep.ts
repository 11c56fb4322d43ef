import type { TrackingContext } from '../context.js';

const BATCH = 1_000;

/**
 * Removes expired records, tombstones, data keys and parked events. A late event cannot recreate them, since expired events are ignored. A TTL
 * index would keep the retention that was configured when the index was created.
 */
export async function sweep({ records, retention, dataKeys, sweepParked }: TrackingContext, now: Date): Promise<void> {
  const cutoff = retention.cutoff(now);
  let removed: number;
  do {
    removed = await records.removeOlderThan(cutoff, BATCH);
  } while (removed === BATCH);
  await dataKeys.sweep(now);
  await sweepParked(now);
}
