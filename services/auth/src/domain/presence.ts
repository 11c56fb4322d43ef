const ONLINE_WITHIN_MS = 2 * 60 * 1000;

/** Whether an account counts as online: seen within two minutes. */
export function isOnline(lastOnline: Date | null, now = new Date()): boolean {
  return lastOnline !== null && now.getTime() - lastOnline.getTime() <= ONLINE_WITHIN_MS;
}
