import type { Store } from '../../app/store.js';
import { isApiError } from '../../app/api-error.js';
import type { Language } from '../../i18n/index.js';
import { deletePushSubscription, updatePushSubscription } from './api.js';
import { forgetToldWay, listToldWays } from './told-ways.js';
import { keepSubscription, keptSubscription, mayRenew } from '../../lib/kept-push.js';

/** Lets this browser's subscription expire later, and follow the language of the pages. Another account's is forgotten. */
export async function renewSubscription(dispatch: Store['dispatch'], language: Language): Promise<void> {
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
