const MINUTE_MS = 60_000;

const minuteOf = (moment: Date): number => Math.floor(moment.getTime() / MINUTE_MS);

/**
 * Truncates a time to the minute, as ISO 8601. More precision would let a recipient match message times with presence
 * and identify a sender.
 */
export const truncateToMinute = (moment: Date): string => new Date(minuteOf(moment) * MINUTE_MS).toISOString();

/** The beginning of the next minute. Times are compared with it where they are shown to the minute. */
export const endOfMinute = (moment: Date): Date => new Date((minuteOf(moment) + 1) * MINUTE_MS);
