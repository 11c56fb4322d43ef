import { createHmac, randomUUID } from 'node:crypto';
import { createEvent, outboxEntry } from '@najwa/common/amqp';
import { RETENTION } from '@najwa/proto/http';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const STEP_MINUTES = 15;
const STEP_MS = STEP_MINUTES * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LAST_STEP = DAY_MS / STEP_MS - 2;

/** `lastOnline` is written at most this often. */
const RESOLUTION_MS = 30_000;

type GridOwner = Pick<UserRecord, 'id' | 'submission'>;

/** Shift of an account's grid on a day: 0 to 14 minutes. The key is specific to the account and never leaves auth. */
function shiftOf({ id, submission }: GridOwner, dayStart: number): number {
  const digest = createHmac('sha256', submission.key).update(`presence ${id} ${dayStart}`).digest();
  return (digest.readUInt32BE() % STEP_MINUTES) * MINUTE_MS;
}

/**
 * The step of an account's grid that a time is in: a quarter of an hour, on a grid that differs for each account and UTC
 * day (decision 0013). A day has no step in its last quarter of an hour, or the one around midnight could be as short as a
 * minute.
 */
export function presenceStep(user: GridOwner, time: Date): { start: Date; end: Date } {
  const dayStart = Math.floor(time.getTime() / DAY_MS) * DAY_MS;
  const firstOf = (day: number): number => day + shiftOf(user, day);
  const first = firstOf(dayStart);
  if (time.getTime() < first)
    return { start: new Date(firstOf(dayStart - DAY_MS) + LAST_STEP * STEP_MS), end: new Date(first) };
  const step = Math.min(Math.floor((time.getTime() - first) / STEP_MS), LAST_STEP);
  const end = step < LAST_STEP ? first + (step + 1) * STEP_MS : firstOf(dayStart + DAY_MS);
  return { start: new Date(first + step * STEP_MS), end: new Date(end) };
}

/**
 * The presence of an account as others see it. It moves with the steps of the account's grid alone: reading shows when the
 * step is over, whatever it was caused by, and for the hour after that. Signing in shows at once.
 */
export function presenceForOthers(
  user: GridOwner & Pick<UserRecord, 'lastOnline' | 'shownOnline'>,
  now = new Date(),
): { isOnline: boolean; lastOnline: Date | null } {
  const { lastOnline, shownOnline } = user;
  const isOver = lastOnline !== null && lastOnline < presenceStep(user, now).start;
  const shown = isOver ? lastOnline : shownOnline;
  if (shown === null) return { isOnline: false, lastOnline: null };
  const { start, end } = presenceStep(user, shown);
  return { isOnline: now.getTime() < end.getTime() + HOUR_MS, lastOnline: start };
}

/** Notes that accounts read their own pages. Skips those that were seen shortly before, or later. */
export async function recordPresence({ users }: AuthContext, updates: { userId: number; at: Date }[]): Promise<void> {
  const latest = new Map<number, Date>();
  for (const { userId, at } of updates) if (at > (latest.get(userId) ?? new Date(0))) latest.set(userId, at);
  const found = await users.findByIds([...latest.keys()]);
  const changes = found.flatMap((user) => {
    const { id, lastOnline, shownOnline } = user;
    const at = latest.get(id);
    if (at === undefined || (lastOnline !== null && lastOnline.getTime() >= at.getTime() - RESOLUTION_MS)) return [];
    // The time from before shows until the step of the new one is over.
    const isOver = lastOnline !== null && lastOnline < presenceStep(user, at).start;
    return [{ id, before: lastOnline, lastOnline: at, shownOnline: isOver ? lastOnline : shownOnline }];
  });
  await users.recordPresence(changes);
}

const COUNTS_AGAIN_AFTER_MS = RETENTION.visitMinutes * 60 * 1000;

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
  // One account after the other: what is taken and not added yet would be lost with this process.
  for (const userId of new Set(batch.map((visit) => visit.userId))) {
    let count = 0;
    for (const visit of batch.filter((other) => other.userId === userId)) {
      const since = new Date(visit.at.getTime() - COUNTS_AGAIN_AFTER_MS);
      if (await visits.take(visit, since)) count += 1;
    }
    if (count === 0) continue;
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
  await visits.forgetBefore(new Date(now.getTime() - 2 * COUNTS_AGAIN_AFTER_MS));
}
