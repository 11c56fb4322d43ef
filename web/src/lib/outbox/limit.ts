/** Per device. */
export const MAX_WAITING = 20;
