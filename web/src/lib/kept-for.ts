const DAY_MS = 24 * 60 * 60 * 1000;

/** Days after its last use for which a device keeps what somebody left on it. */
export const KEPT_DAYS = 90;

/** True if nobody has used it for so long that this device forgets it. @param usedAt a time, or a day */
export const isOver = (usedAt: string): boolean => !(Date.now() - Date.parse(usedAt) <= KEPT_DAYS * DAY_MS);
