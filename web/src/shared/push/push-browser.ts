import { isApiError } from '../../api/api-error.js';
import type { Store } from '../../api/store.js';
import type { Language } from '../../i18n/index.js';
import { type BrowserSubscription, followSubscription, readSubscription } from '../../lib/push-change.js';
import { keepSubscription, keptSubscription, mayRenew, readOwn } from '../../lib/push-subscriptions.js';
import { registerServiceWorker, serviceWorkers } from '../../lib/service-worker.js';
import { getPushKey, updatePushSubscription } from './push-api.js';

export type PushAbility = 'ready' | 'blocked' | 'unsupported';

export function pushAbility(): PushAbility {
  if (serviceWorkers() === null || !('PushManager' in window && 'Notification' in window)) return 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : 'ready';
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const isSame = (key: ArrayBuffer | null, other: Uint8Array): boolean =>
  key !== null && new Uint8Array(key).every((byte, index) => byte === other[index]);

/**
 * Call it in a click handler, where browsers allow the prompt.
 * @returns null if not allowed
 * @throws if the push service is unreachable
 */
export async function subscribeBrowser(getKey: () => Promise<string>): Promise<BrowserSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const [worker, publicKey] = await Promise.all([registerServiceWorker(), getKey()]);
  if (worker === null) throw new Error('There is no service worker.');
  await serviceWorkers()?.ready;
  return subscribeTo(worker, await worker.pushManager.getSubscription(), bytesOf(publicKey));
}

/** @param earlier may have an outdated server key */
async function subscribeTo(
  { pushManager }: ServiceWorkerRegistration,
  earlier: PushSubscription | null,
  key: Uint8Array<ArrayBuffer>,
): Promise<BrowserSubscription> {
  if (earlier !== null && !isSame(earlier.options.applicationServerKey, key)) await earlier.unsubscribe();
  return readSubscription(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

/** Also restores a subscription that the browser lost. Never prompts. @returns null if no longer allowed */
async function renewBrowser(
  getKey: () => Promise<string>,
): Promise<{ subscription: BrowserSubscription; isNew: boolean } | null> {
  if (pushAbility() === 'unsupported' || Notification.permission !== 'granted') return null;
  const worker = await serviceWorkers()?.getRegistration();
  if (worker === undefined) return null;
  const key = bytesOf(await getKey());
  const earlier = await worker.pushManager.getSubscription();
  if (earlier !== null && isSame(earlier.options.applicationServerKey, key))
    return { subscription: readSubscription(earlier), isNew: false };
  return { subscription: await subscribeTo(worker, earlier, key), isNew: true };
}

const READ_NOW = { subscribe: false, forceRefetch: true } as const;

/** For changes that the service worker missed. */
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

/** Drops another account's. */
export async function renewSubscription(dispatch: Store['dispatch'], language: Language): Promise<void> {
  const getKey = async () => (await dispatch(getPushKey.initiate(undefined, READ_NOW)).unwrap()).publicKey;
  // The next visit retries; the server's copy must not expire until then.
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
