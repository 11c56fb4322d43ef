const MINUTE_MS = 60_000;

const minuteOf = (moment: Date): number => Math.floor(moment.getTime() / MINUTE_MS);

/** Truncated, as ISO 8601. More precision would let a recipient correlate message times with presence. */
export const truncateToMinute = (moment: Date): string => new Date(minuteOf(moment) * MINUTE_MS).toISOString();

/** Compared where times are shown to the minute. */
export const endOfMinute = (moment: Date): Date => new Date((minuteOf(moment) + 1) * MINUTE_MS);
