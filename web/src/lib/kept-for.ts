const DAY_MS = 24 * 60 * 60 * 1000;

/** After its last use. */
export const KEPT_DAYS = 90;

export const isExpired = (usedAt: string): boolean => !(Date.now() - Date.parse(usedAt) <= KEPT_DAYS * DAY_MS);
