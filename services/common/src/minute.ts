const MINUTE_MS = 60_000;

/**
 * The minute of a moment, as an ISO 8601 text, which is as much as a page shows. Seconds of what somebody sent and of when
 * somebody was seen could be held against each other, and say who it was.
 */
export const truncateToMinute = (moment: Date): string =>
  new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS).toISOString();
