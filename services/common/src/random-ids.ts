import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const MAX_ID = 2 ** 48 - 1;

/** An id that tells neither how many others there are, nor when it was given. */
export const randomId = (): number => randomInt(1, MAX_ID);

const MINUTE_MS = 60_000;
const EPOCH = Date.UTC(2025, 0, 1);
/** Ids of one minute. All stay below 10^15 until 2053. */
const IDS_PER_MINUTE = 2 ** 26;
const MAX_STEP = 2 ** 10;
const MAX_OWNERS = 50_000;

/** An id below all that were given in the minute of another one. */
export const startOfMinuteIds = (id: number): number => id - (id % IDS_PER_MINUTE);

/**
 * Gives ids in the order of time, to the minute, that have no counter of the site in them: what one owner is given says
 * nothing about what others are. Those of one owner follow each other, also within a minute, as long as one process gives
 * them. They are above all ids that a counter gave before.
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
