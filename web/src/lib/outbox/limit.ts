export const MAX_WAITING = 20;
