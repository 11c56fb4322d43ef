import type { AuthContext } from '../context.js';

const ONLINE_WITHIN_MS = 2 * 60 * 1000;

/** Whether an account counts as online: seen within two minutes. */
export function isOnline(lastOnline: Date | null, now = new Date()): boolean {
  return lastOnline !== null && now.getTime() - lastOnline.getTime() <= ONLINE_WITHIN_MS;
}

const VISIT_COUNTS_AGAIN_AFTER_MS = 30 * 60 * 1000;

export interface Visit {
  userId: number;
  visitor: string;
  at: Date;
}

/** Counts visits, each visitor of a page once in thirty minutes, through whichever gateway they came. */
export async function countVisits({ users, visits }: AuthContext, batch: Visit[]): Promise<void> {
  const counted = new Map<number, number>();
  for (const visit of batch) {
    const since = new Date(visit.at.getTime() - VISIT_COUNTS_AGAIN_AFTER_MS);
    if (await visits.take(visit, since)) counted.set(visit.userId, (counted.get(visit.userId) ?? 0) + 1);
  }
  for (const [userId, count] of counted) await users.addVisits(userId, count);
}

/** Removes what is no longer needed to tell a second visit from a first. */
export async function forgetOldVisits({ visits }: AuthContext, now: Date): Promise<void> {
  await visits.forgetBefore(new Date(now.getTime() - 2 * VISIT_COUNTS_AGAIN_AFTER_MS));
}
