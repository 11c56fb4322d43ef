import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { type Answered, type Call, send } from './http.js';
import {
  forgetReplySubscription,
  keepOwn,
  listReplySubscriptions,
  moveReplySubscription,
  readOwn,
  type ReplySubscription,
} from './push-subscriptions.js';

export type BrowserSubscription = Body<'createPushSubscription'>['subscription'];

export function readSubscription(subscription: PushSubscription): BrowserSubscription {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } };
}

async function call(request: Call): Promise<Answered> {
  const answered = await send(request);
  const { status } = answered.response;
  if (status === 429 || status >= 500) throw new Error('The server asks to try again later.');
  return answered;
}

async function create(body: Body<'createPushSubscription'>): Promise<string | null> {
  const { response, data } = await call(buildRequest('createPushSubscription', { body }));
  return response.ok ? (data as Answer<'createPushSubscription'>).id : null;
}

const remove = (id: string, wayBack?: string): Promise<Answered> =>
  call(buildRequest('deletePushSubscription', { params: { id }, query: wayBack === undefined ? {} : { wayBack } }));

/** Keeps the settings. A subscription that was switched off stays off. */
async function moveOwn(subscription: BrowserSubscription): Promise<void> {
  const own = await readOwn();
  if (own === null || own.endpoint === subscription.endpoint) return;
  const { response, data } = await call(buildRequest('listPushSubscriptions'));
  if (!response.ok) return;
  const earlier = (data as Answer<'listPushSubscriptions'>).find(({ id }) => id === own.id);
  if (earlier === undefined) return keepOwn(null);
  const { kinds, quiet, language } = earlier;
  const id = await create({ subscription, kinds, quiet, language });
  if (id === null) return;
  await keepOwn({ ...own, id, endpoint: subscription.endpoint });
  if (id !== own.id) await remove(own.id);
}

export async function endReplySubscriptions(isMeant: (reply: ReplySubscription) => boolean): Promise<void> {
  for (const reply of (await listReplySubscriptions()).filter(isMeant)) {
    await remove(reply.id, reply.path.slice('/r/'.length)).catch(() => undefined);
    await forgetReplySubscription(reply);
  }
}

/** Idempotent. Runs in the service worker, and in pages in case that was offline. @throws without an answer */
export async function followSubscription(subscription: BrowserSubscription): Promise<void> {
  for (const reply of await listReplySubscriptions()) {
    const { language, path } = reply;
    const wayBack = path.slice('/r/'.length);
    const id = await create({ subscription, kinds: ['reply'], quiet: null, language, wayBack });
    if (id === null || id === reply.id) continue;
    await moveReplySubscription(reply, id);
    await remove(reply.id, wayBack);
  }
  // Last: its address shows a page whether anything is left to do.
  await moveOwn(subscription);
}
