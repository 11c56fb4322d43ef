import type { Store } from '../../app/store.js';
import { isApiError } from '../../app/api-error.js';
import type { Language } from '../../i18n/index.js';
import { deletePushSubscription, updatePushSubscription } from './api.js';
import { keepSubscription, keptSubscription, mayRenew } from '../../lib/kept-push.js';
import { followSubscription, readSubscription } from '../../lib/push-change.js';
import { forgetToldWay, listToldWays, readOwn } from '../../lib/told-browser.js';

/** The browser may have changed its subscription: then the service worker told the server, or does so now. */
async function followChange(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const current = await registration?.pushManager.getSubscription();
  const known = await readOwn();
  if (current && known && current.endpoint !== known.endpoint) await followSubscription(readSubscription(current));
  const own = await readOwn();
  if (own !== null && own.id !== keptSubscription()) keepSubscription(own);
}

/** Lets this browser's subscription expire later, and follow the language of the pages. Another account's is forgotten. */
export async function renewSubscription(dispatch: Store['dispatch'], language: Language): Promise<void> {
  await followChange();
  const id = keptSubscription();
  if (id === null || !mayRenew()) return;
  const change = (body: { language?: Language }) =>
    dispatch(updatePushSubscription.initiate({ id, change: body })).unwrap();
  try {
    const renewed = await change({});
    if (renewed.language !== language) await change({ language });
  } catch (error) {
    if (isApiError(error) && error.status === 404) keepSubscription(null);
  }
}

/** Stops telling this browser of replies to what was sent from it. */
export async function stopTellingOfReplies(dispatch: Store['dispatch']): Promise<void> {
  for (const way of await listToldWays()) {
    const wayBack = way.path.slice('/r/'.length);
    await dispatch(deletePushSubscription.initiate({ id: way.subscriptionId, wayBack }));
    // If the server was not reached, a notice that comes nevertheless leads to no message.
    await forgetToldWay(way);
  }
}
