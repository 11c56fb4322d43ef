import { device } from './storage.js';

/**
 * This browser's subscriptions for push: one for an account, and one for each way back. Pages and the service worker share them, in
 * the browser's cache storage. Without HTTPS there is none.
 */
const REPLIES = 'told-ways';
const OWN = 'told-account';
const OWN_ADDRESS = '/told-account';
const ACCOUNT = 'account';

type Language = 'ar' | 'en';

/** Notifies this browser of the reply to one message. */
export interface ReplySubscription {
  id: string;
  /** `/r/{token}` */
  path: string;
  language: Language;
  /** Id of the account that sent the message, or null. */
  account: number | null;
}

/** Notifies this browser of what happens to an account. */
export interface OwnSubscription {
  id: string;
  endpoint: string;
  account: number | null;
}

/** Key of an entry, whose body is the path. No server is asked for it. */
const addressOf = (id: string): string => `/told-ways/${id}`;

/** False also where site data are blocked: then reading the property throws. */
function hasCaches(): boolean {
  try {
    return 'caches' in globalThis && typeof caches === 'object';
  } catch {
    return false;
  }
}

/** Every one of this device. */
export async function listReplySubscriptions(): Promise<ReplySubscription[]> {
  if (!hasCaches()) return [];
  const cache = await caches.open(REPLIES);
  return Promise.all(
    (await cache.keys()).map(async (request) => {
      const kept = await cache.match(request);
      return {
        id: new URL(request.url).pathname.split('/').at(-1) ?? '',
        path: (await kept?.text()) ?? '',
        language: kept?.headers.get('content-language') === 'en' ? 'en' : 'ar',
        account: Number(kept?.headers.get(ACCOUNT)) || null,
      };
    }),
  );
}

export async function keepReplySubscription({ id, path, language, account }: ReplySubscription): Promise<void> {
  const headers = { 'content-language': language, ...(account !== null && { [ACCOUNT]: String(account) }) };
  const kept = new Response(path, { headers });
  await (await caches.open(REPLIES)).put(addressOf(id), kept);
}

export async function forgetReplySubscription({ id }: Pick<ReplySubscription, 'id'>): Promise<void> {
  await (await caches.open(REPLIES)).delete(addressOf(id));
}

/** Replaces a subscription by its successor, which has another id. */
export async function moveReplySubscription(earlier: ReplySubscription, id: string): Promise<void> {
  await keepReplySubscription({ ...earlier, id });
  await forgetReplySubscription(earlier);
}

/** The path of the way back that a subscription is for. */
export async function findReplyPath(id: string): Promise<string | undefined> {
  return (await caches.match(addressOf(id), { cacheName: REPLIES }))?.text();
}

export async function readOwn(): Promise<OwnSubscription | null> {
  if (!hasCaches()) return null;
  const kept = await caches.match(OWN_ADDRESS, { cacheName: OWN });
  return kept === undefined ? null : ((await kept.json()) as OwnSubscription);
}

export async function keepOwn(own: OwnSubscription | null): Promise<void> {
  if (!hasCaches()) return;
  if (own === null) await caches.delete(OWN);
  else await (await caches.open(OWN)).put(OWN_ADDRESS, Response.json(own));
}

/** The subscription of this browser, if it made one for an account. A page knows it at once. */
export const keptSubscription = (): string | null => device.read('push-subscription');

export function keepSubscription(own: OwnSubscription | null): void {
  device.write('push-subscription', own?.id ?? null);
  device.write('push-renewed', own === null ? null : String(Date.now()));
  // Without it, the service worker does not follow a change of the subscription, and a page does later.
  keepOwn(own).catch(() => undefined);
}

const DAY = 24 * 60 * 60 * 1000;
const REST = 30 * DAY;

/** True once a day: the subscription expires if it is never renewed. */
export function mayRenew(): boolean {
  if (Date.now() - Number(device.read('push-renewed')) < DAY) return false;
  device.write('push-renewed', String(Date.now()));
  return true;
}

/** True for a time after somebody answered "not now". */
export const isResting = (): boolean => Date.now() - Number(device.read('push-not-now')) < REST;

export const rest = (): void => {
  device.write('push-not-now', String(Date.now()));
};
