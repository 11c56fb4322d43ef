/** Messages that wait on a device at once. */
export const MAX_WAITING = 20;
