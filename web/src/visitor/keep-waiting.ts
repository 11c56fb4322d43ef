import { isApiError } from '../api/api-error.js';
import type { Waiting } from '../lib/outbox/store.js';

/** Without an answer, keeps the message on this device. @returns whether it waits now */
export async function keepWaiting(
  error: unknown,
  message: Pick<Waiting, 'key' | 'recipient' | 'content'>,
): Promise<boolean> {
  if (!isApiError(error)) return false;
  // A captive portal answers everything with its own page.
  const isForeign = error.code === 'unreadable' && (error.status ?? 0) < 400;
  if (error.code !== 'offline' && !isForeign) return false;
  try {
    // Loaded by the form before the connection was lost. No other file could be loaded now.
    return await (await import('./outbox/index.js')).keepForLater(message);
  } catch {
    return false;
  }
}
