const MINUTE_MS = 60_000;

/**
 * Truncates a time to the minute, as ISO 8601. More precision would let a recipient match message times with presence
 * and identify a sender.
 */
export const truncateToMinute = (moment: Date): string =>
  new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS).toISOString();
