import { type BrowserSubscription, readSubscription } from '../../lib/push-change.js';
import { registerServiceWorker } from '../../lib/service-worker.js';

/** Whether this browser can be told something. */
export type PushAbility = 'ready' | 'blocked' | 'unsupported';

export function pushAbility(): PushAbility {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : 'ready';
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const isSame = (key: ArrayBuffer | null, other: Uint8Array): boolean =>
  key !== null && new Uint8Array(key).every((byte, index) => byte === other[index]);

/**
 * Asks for permission if need be, and subscribes this browser. Call it in the handler of a click, where browsers allow to ask.
 *
 * @returns null if nobody allowed it
 * @throws if the browser cannot reach its push service
 */
export async function subscribeBrowser(getKey: () => Promise<string>): Promise<BrowserSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const [worker, publicKey] = await Promise.all([registerServiceWorker(), getKey()]);
  if (worker === null) throw new Error('There is no service worker.');
  await navigator.serviceWorker.ready;
  const key = bytesOf(publicKey);
  const earlier = await worker.pushManager.getSubscription();
  // The server's key may have been replaced since.
  if (earlier !== null && !isSame(earlier.options.applicationServerKey, key)) await earlier.unsubscribe();
  return readSubscription(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}
