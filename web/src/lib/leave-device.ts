import { forgetOldDrafts, forgetTabOfOthers } from './drafts.js';
import { forgetWaysOfOthers } from './kept-ways.js';
import { keepSubscription } from './kept-push.js';
import { forgetOldWaiting } from './outbox/send.js';
import { forgetGoneOfOthers } from './outbox/store.js';
import { stopTelling } from './push-change.js';
import { readLeaving, setLeaving } from './remembered-user.js';
import { serviceWorkers } from './service-worker.js';
import { listToldWays, readOwn } from './told-browser.js';

/** Closes notices about accounts, and about ways back that are not told of any more. */
async function endNotices(account: number | null): Promise<void> {
  const own = await readOwn();
  if (own !== null && own.account !== account) keepSubscription(null);
  const registration = await serviceWorkers()?.getRegistration();
  if (registration === undefined) return;
  const told = await listToldWays();
  for (const notice of await registration.getNotifications()) {
    const { wayBack } = (notice.data ?? {}) as { wayBack?: string };
    if (!told.some(({ subscriptionId }) => subscriptionId === wayBack)) notice.close();
  }
  // Nothing is left to be told. What is under way does not show any more.
  if (told.length === 0 && own?.account !== account)
    await (await registration.pushManager.getSubscription())?.unsubscribe();
}

/**
 * Removes what accounts left on this device that are not signed in any more. A text that has not gone out exists nowhere else. It
 * stays for its writer, whom alone it is shown to: on the device for a time (kept-for.ts), in a tab until its writer signs out.
 *
 * @param account that is signed in, or null
 */
export async function leaveDevice(account: number | null): Promise<void> {
  forgetWaysOfOthers(account);
  if (readLeaving() === 'signed-out') forgetTabOfOthers(account);
  forgetOldDrafts();
  await forgetGoneOfOthers(account);
  await forgetOldWaiting();
  await stopTelling((way) => way.account !== null && way.account !== account);
  await endNotices(account);
  setLeaving(null);
}
