import { createHmac, randomUUID } from 'node:crypto';
import { createEvent, outboxEntry } from '@najwa/common';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';

const ONLINE_WITHIN_MS = 2 * 60 * 1000;

/** True if an account was seen within two minutes. */
export function isOnline(lastOnline: Date | null, now = new Date()): boolean {
  return lastOnline !== null && now.getTime() - lastOnline.getTime() <= ONLINE_WITHIN_MS;
}

const MINUTE_MS = 60 * 1000;
const STEP_MINUTES = 15;
const STEP_MS = STEP_MINUTES * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LAST_STEP = DAY_MS / STEP_MS - 2;

/** Shift of an account's grid on a day: 0 to 14 minutes. The key is specific to the account and never leaves auth. */
function shiftOf({ id, submission }: Pick<UserRecord, 'id' | 'submission'>, dayStart: number): number {
  const digest = createHmac('sha256', submission.key).update(`presence ${id} ${dayStart}`).digest();
  return (digest.readUInt32BE() % STEP_MINUTES) * MINUTE_MS;
}

/**
 * The last time an account was seen, as shown to others: rounded down to a quarter of an hour, on a grid that differs
 * for each account and UTC day (record 0032). The result never lies after the real time and never goes back.
 */
export function coarseLastOnline(user: Pick<UserRecord, 'id' | 'submission'> & { lastOnline: Date }): Date {
  const seen = user.lastOnline.getTime();
  const dayStart = Math.floor(seen / DAY_MS) * DAY_MS;
  const first = dayStart + shiftOf(user, dayStart);
  if (seen < first) {
    const dayBefore = dayStart - DAY_MS;
    return new Date(dayBefore + shiftOf(user, dayBefore) + LAST_STEP * STEP_MS);
  }
  // A day has no step in its last quarter of an hour, or the one around midnight could be as short as a minute.
  return new Date(first + Math.min(Math.floor((seen - first) / STEP_MS), LAST_STEP) * STEP_MS);
}

const VISIT_COUNTS_AGAIN_AFTER_MS = 30 * 60 * 1000;

export interface Visit {
  userId: number;
  visitor: string;
  at: Date;
}

const FIRST_ROUND_NUMBER = 100;

/** The highest of 100, 500, 1,000, 5,000 and so on that is not above a number; 0 below the first. */
export function roundNumberBelow(visits: number): number {
  if (visits < FIRST_ROUND_NUMBER) return 0;
  const power = 10 ** Math.floor(Math.log10(visits));
  return visits >= 5 * power ? 5 * power : power;
}

/** Counts visits. A visitor of a page counts once in thirty minutes, through whichever gateway the visits came. */
export async function countVisits({ users, visits, outbox }: AuthContext, batch: Visit[]): Promise<void> {
  const counted = new Map<number, number>();
  for (const visit of batch) {
    const since = new Date(visit.at.getTime() - VISIT_COUNTS_AGAIN_AFTER_MS);
    if (await visits.take(visit, since)) counted.set(visit.userId, (counted.get(visit.userId) ?? 0) + 1);
  }
  for (const [userId, count] of counted) {
    const now = await users.addVisits(userId, count);
    const reached = roundNumberBelow(now?.visitorCount ?? 0);
    if (now === null || reached <= now.announcedVisits) continue;
    const event = createEvent(randomUUID(), { $case: 'visitsReached', value: { userId, visits: reached } });
    await users.announceVisits(userId, reached, outboxEntry(event));
    outbox.notify();
  }
}

/** Removes visits that are too old to suppress a repeated one. */
export async function forgetOldVisits({ visits }: AuthContext, now: Date): Promise<void> {
  await visits.forgetBefore(new Date(now.getTime() - 2 * VISIT_COUNTS_AGAIN_AFTER_MS));
}
