import type { TrackingContext } from '../context.js';

const BATCH = 1_000;

/** Expired events are ignored, so nothing is recreated. A TTL index would keep the retention of its creation. */
export async function sweep(context: TrackingContext, now: Date): Promise<void> {
  const { records, retention, dataKeys, sweepParked, bounds } = context;
  const cutoff = retention.cutoff(now);
  const count = {
    due: (limit: number) => records.countOlderThan(cutoff, limit),
    total: () => records.estimateTotal(),
  };
  let removed = (await bounds.allows('traces', count, now)) ? BATCH : 0;
  while (removed === BATCH) removed = await records.removeOlderThan(cutoff, BATCH);
  await dataKeys.sweep(now);
  await sweepParked(now);
}
