import { isApiError } from '../app/api-error.js';
import type { Waiting } from './outbox/store.js';

/** Keeps a message on this device if there was no answer. @returns whether it waits now */
export async function keepWaiting(
  error: unknown,
  message: Pick<Waiting, 'key' | 'recipient' | 'content'>,
): Promise<boolean> {
  if (!isApiError(error)) return false;
  // So does a network that asks for a login: it answers everything with its own page.
  const isForeign = error.code === 'unreadable' && (error.status ?? 0) < 400;
  if (error.code !== 'offline' && !isForeign) return false;
  try {
    // The form has loaded this part before the line was lost. Any other file could not be loaded now.
    return await (await import('../features/outbox/index.js')).keepForLater(message);
  } catch {
    return false;
  }
}
