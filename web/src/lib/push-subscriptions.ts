import { device } from './storage.js';

/** Shared with the service worker in cache storage, which needs HTTPS. */
const REPLIES = 'told-ways';
const OWN = 'told-account';
const OWN_ADDRESS = '/told-account';
const ACCOUNT = 'account';

type Language = 'ar' | 'en';

export interface ReplySubscription {
  id: string;
  /** `/r/{token}` */
  path: string;
  language: Language;
  /** Account that sent the message, or null. */
  account: number | null;
}

export interface OwnSubscription {
  id: string;
  endpoint: string;
  account: number | null;
}

/** Cache key of an entry, never requested. The body is the path. */
const addressOf = (id: string): string => `/told-ways/${id}`;

/** Throws where site data is blocked. */
function hasCaches(): boolean {
  try {
    return 'caches' in globalThis && typeof caches === 'object';
  } catch {
    return false;
  }
}

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

/** The successor has another id. */
export async function moveReplySubscription(earlier: ReplySubscription, id: string): Promise<void> {
  await keepReplySubscription({ ...earlier, id });
  await forgetReplySubscription(earlier);
}

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

export const keptSubscription = (): string | null => device.read('push-subscription');

export function keepSubscription(own: OwnSubscription | null): void {
  device.write('push-subscription', own?.id ?? null);
  device.write('push-renewed', own === null ? null : String(Date.now()));
  // Otherwise a page, not the service worker, follows changes of the subscription.
  keepOwn(own).catch(() => undefined);
}

const DAY = 24 * 60 * 60 * 1000;
const REST = 30 * DAY;

/** Once a day: it expires unless renewed. */
export function mayRenew(): boolean {
  if (Date.now() - Number(device.read('push-renewed')) < DAY) return false;
  device.write('push-renewed', String(Date.now()));
  return true;
}

/** After "not now". */
export const isResting = (): boolean => Date.now() - Number(device.read('push-not-now')) < REST;

export const rest = (): void => {
  device.write('push-not-now', String(Date.now()));
};
