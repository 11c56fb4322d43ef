const DAY_MS = 24 * 60 * 60 * 1000;

export interface Retention {
  /** What was created before is to be gone. */
  cutoff(now: Date): Date;
  /** Whether a message is so old that nothing about where it came from is kept any more. */
  isOver(createdAt: Date, now: Date): boolean;
}

/** @param days TRACKING_RETENTION_DAYS */
export function createRetention(days: number): Retention {
  const cutoff = (now: Date): Date => new Date(now.getTime() - days * DAY_MS);
  return { cutoff, isOver: (createdAt, now) => createdAt < cutoff(now) };
}
