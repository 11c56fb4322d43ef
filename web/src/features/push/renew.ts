import type { Store } from '../../app/store.js';
import { isApiError } from '../../app/api-error.js';
import type { Language } from '../../i18n/index.js';
import { getPushKey, updatePushSubscription } from './api.js';
import { renewBrowser } from './browser.js';
import { keepSubscription, keptSubscription, mayRenew } from '../../lib/kept-push.js';
import { followSubscription } from '../../lib/push-change.js';
import { readOwn } from '../../lib/told-browser.js';

const READ_NOW = { subscribe: false, forceRefetch: true } as const;

/**
 * The server may have replaced its key, and the browser its subscription: then the service worker told the server, or this
 * does so now.
 */
export async function followChange(getKey: () => Promise<string>): Promise<void> {
  const current = await renewBrowser(getKey);
  if (current !== null) {
    const { subscription, isNew } = current;
    const known = await readOwn();
    if (isNew || (known !== null && known.endpoint !== subscription.endpoint)) await followSubscription(subscription);
  }
  const own = await readOwn();
  if (own !== null && own.id !== keptSubscription()) keepSubscription(own);
}

/** Lets this browser's subscription expire later, and follow the language of the pages. Another account's is forgotten. */
export async function renewSubscription(dispatch: Store['dispatch'], language: Language): Promise<void> {
  const getKey = async () => (await dispatch(getPushKey.initiate(undefined, READ_NOW)).unwrap()).publicKey;
  // The next visit tries again, and what the server has must not expire until then.
  await followChange(getKey).catch(() => undefined);
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
