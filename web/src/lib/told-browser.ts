/**
 * Facts about this browser's subscriptions that pages and the service worker share, in the browser's cache storage: a worker reads no
 * other that pages write. Without HTTPS there is none.
 */
const TOLD_WAYS = 'told-ways';
const OWN = 'told-account';
const OWN_ADDRESS = '/told-account';
const ACCOUNT = 'account';

type Language = 'ar' | 'en';

/** A way back whose reply this browser is told of. */
export interface ToldWay {
  subscriptionId: string;
  /** `/r/{token}` */
  path: string;
  language: Language;
  /** Id of the account that sent the message, or null. */
  account: number | null;
}

/** The subscription of this browser for an account. */
export interface OwnSubscription {
  id: string;
  endpoint: string;
  account: number | null;
}

/** Key of an entry, whose body is the path. No server is asked for it. */
const addressOf = (subscriptionId: string): string => `/told-ways/${subscriptionId}`;

/** False also where site data are blocked: then reading the property throws. */
function hasCaches(): boolean {
  try {
    return 'caches' in globalThis && typeof caches === 'object';
  } catch {
    return false;
  }
}

/** Every one of this device. */
export async function listToldWays(): Promise<ToldWay[]> {
  if (!hasCaches()) return [];
  const cache = await caches.open(TOLD_WAYS);
  return Promise.all(
    (await cache.keys()).map(async (request) => {
      const kept = await cache.match(request);
      return {
        subscriptionId: new URL(request.url).pathname.split('/').at(-1) ?? '',
        path: (await kept?.text()) ?? '',
        language: kept?.headers.get('content-language') === 'en' ? 'en' : 'ar',
        account: Number(kept?.headers.get(ACCOUNT)) || null,
      };
    }),
  );
}

export async function keepToldWay({ subscriptionId, path, language, account }: ToldWay): Promise<void> {
  const headers = { 'content-language': language, ...(account !== null && { [ACCOUNT]: String(account) }) };
  const kept = new Response(path, { headers });
  await (await caches.open(TOLD_WAYS)).put(addressOf(subscriptionId), kept);
}

export async function forgetToldWay({ subscriptionId }: Pick<ToldWay, 'subscriptionId'>): Promise<void> {
  await (await caches.open(TOLD_WAYS)).delete(addressOf(subscriptionId));
}

export async function moveToldWay(way: ToldWay, subscriptionId: string): Promise<void> {
  await keepToldWay({ ...way, subscriptionId });
  await forgetToldWay(way);
}

/** The path of the way back that a subscription is for. */
export async function findToldWay(subscriptionId: string): Promise<string | undefined> {
  return (await caches.match(addressOf(subscriptionId), { cacheName: TOLD_WAYS }))?.text();
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
