import { TOLD_WAYS, toldWayAddress } from '../../worker/told-ways.js';

/** A way back whose reply this browser is told of. */
export interface ToldWay {
  subscriptionId: string;
  /** `/r/{token}` */
  path: string;
}

/** Every one of this device. None where browsers have no cache storage, as without HTTPS. */
export async function listToldWays(): Promise<ToldWay[]> {
  if (!('caches' in globalThis)) return [];
  const cache = await caches.open(TOLD_WAYS);
  return Promise.all(
    (await cache.keys()).map(async (request) => ({
      subscriptionId: new URL(request.url).pathname.split('/').at(-1) ?? '',
      path: (await (await cache.match(request))?.text()) ?? '',
    })),
  );
}

export async function keepToldWay({ subscriptionId, path }: ToldWay): Promise<void> {
  await (await caches.open(TOLD_WAYS)).put(toldWayAddress(subscriptionId), new Response(path));
}

export async function forgetToldWay({ subscriptionId }: ToldWay): Promise<void> {
  await (await caches.open(TOLD_WAYS)).delete(toldWayAddress(subscriptionId));
}
