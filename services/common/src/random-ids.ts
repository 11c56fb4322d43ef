import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const MAX_ID = 2 ** 48 - 1;

/** Reveals neither a count nor a time. */
export const randomId = (): number => randomInt(1, MAX_ID);

const MINUTE_MS = 60_000;
const EPOCH = Date.UTC(2025, 0, 1);
/** All ids stay below 10^15 until 2053. */
const IDS_PER_MINUTE = 2 ** 26;
const MAX_STEP = 2 ** 10;
const MAX_OWNERS = 50_000;

export const startOfMinuteIds = (id: number): number => id - (id % IDS_PER_MINUTE);

/**
 * Ordered by time to the minute, without a counter: ids of one owner reveal nothing about others. Within a process,
 * those of one owner ascend. All are above ids from earlier counters.
 */
export function createTimedIds(now: () => number = Date.now): (owner: string | number) => number {
  const latest = new LRUCache<string | number, number>({ max: MAX_OWNERS });
  return (owner) => {
    const start = Math.floor((now() - EPOCH) / MINUTE_MS) * IDS_PER_MINUTE;
    const last = latest.get(owner) ?? 0;
    const id = last >= start ? last + randomInt(1, MAX_STEP) : start + randomInt(1, IDS_PER_MINUTE / 2);
    latest.set(owner, id);
    return id;
  };
}
