import { createHmac, randomUUID } from 'node:crypto';
import { createEvent, outboxEntry, type OutboxRelay } from '@najwa/common/amqp';
import { RETENTION } from '@najwa/proto/http';
import type { UserRecord, UserRepository } from '../account/user-store.js';
import type { VisitRepository } from './visit-store.js';

export interface PresenceDeps {
  users: UserRepository;
  visits: VisitRepository;
  outbox: OutboxRelay;
}

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const STEP_MINUTES = 15;
const STEP_MS = STEP_MINUTES * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LAST_STEP = DAY_MS / STEP_MS - 2;

/** Minimum interval of writes. */
const RESOLUTION_MS = 30_000;

type GridOwner = Pick<UserRecord, 'id' | 'submission'>;

/** Grid offset for a day, 0 to 14 minutes. The key never leaves auth. */
function shiftOf({ id, submission }: GridOwner, dayStart: number): number {
  const digest = createHmac('sha256', submission.key).update(`presence ${id} ${dayStart}`).digest();
  return (digest.readUInt32BE() % STEP_MINUTES) * MINUTE_MS;
}

/**
 * The 15-minute step around a time, on a grid per account and UTC day (decision 0013). The day's last quarter joins the
 * step before, or the step at midnight could last a minute.
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

/** Moves by grid steps only: reading shows once its step ends, and for an hour. The first sign-in shows at once. */
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

export async function recordPresence(
  { users }: Pick<PresenceDeps, 'users'>,
  updates: { userId: number; at: Date }[],
): Promise<void> {
  const latest = new Map<number, Date>();
  for (const { userId, at } of updates) if (at > (latest.get(userId) ?? new Date(0))) latest.set(userId, at);
  const found = await users.findByIds([...latest.keys()]);
  const changes = found.flatMap((user) => {
    const { id, lastOnline, shownOnline } = user;
    const at = latest.get(id);
    if (at === undefined || (lastOnline !== null && lastOnline.getTime() >= at.getTime() - RESOLUTION_MS)) return [];
    // Others see the previous time until the new step ends.
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

/** Highest of 100, 500, 1,000, 5,000, … up to `visits`; 0 below 100. */
export function roundNumberBelow(visits: number): number {
  if (visits < FIRST_ROUND_NUMBER) return 0;
  const power = 10 ** Math.floor(Math.log10(visits));
  return visits >= 5 * power ? 5 * power : power;
}

/** Once in thirty minutes per visitor and page. */
export async function countVisits({ users, visits, outbox }: PresenceDeps, batch: Visit[]): Promise<void> {
  // One account at a time: a crash loses what is taken but not yet added.
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

export async function forgetOldVisits({ visits }: PresenceDeps, now: Date): Promise<void> {
  await visits.forgetBefore(new Date(now.getTime() - 2 * COUNTS_AGAIN_AFTER_MS));
}
