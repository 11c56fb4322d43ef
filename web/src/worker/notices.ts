/// <reference lib="webworker" />
import type { Answer } from '@najwa/proto/http/client';
import type { PushKind } from '@najwa/proto/http';
import { send } from '../lib/http.js';
import { followSubscription, readSubscription } from '../lib/push-change.js';
import { findReplyPath } from '../lib/push-subscriptions.js';

declare const self: ServiceWorkerGlobalScope;

type Language = 'ar' | 'en';

interface Notice {
  kind: PushKind;
  language: Language;
  /** Subscription id of a way back. */
  wayBack?: string;
}

/** All texts of the worker, which it has offline. */
const TEXTS: Record<Language, { name: string; dir: 'rtl' | 'ltr'; of: Record<PushKind, string> }> = {
  ar: {
    name: 'نجوى',
    dir: 'rtl',
    of: {
      message: 'رسالة جديدة',
      reply: 'جاء ردّ على ما كتبته',
      report: 'نتيجة بلاغك',
      visits: 'زيارات كثيرة لصفحتك',
      several: 'أخبار جديدة لك',
      test: 'هكذا يأتيك الإشعار',
    },
  },
  en: {
    name: 'Najwa',
    dir: 'ltr',
    of: {
      message: 'A new message',
      reply: 'A reply to what you wrote',
      report: 'Your report was reviewed',
      visits: 'Many visits to your page',
      several: 'There is news for you',
      test: 'This is how a notice looks',
    },
  },
};

/** Browsers require a notification for every push, also for one of a later version. */
function readNotice(data: PushMessageData | null): Notice {
  let sent: Partial<Record<keyof Notice, unknown>> = {};
  try {
    sent = (data?.json() ?? {}) as typeof sent;
  } catch {
    // Unreadable pushes are shown without details.
  }
  const language: Language = sent.language === 'en' ? 'en' : 'ar';
  const kind = typeof sent.kind === 'string' && sent.kind in TEXTS[language].of ? (sent.kind as PushKind) : 'several';
  return { kind, language, ...(typeof sent.wayBack === 'string' && { wayBack: sent.wayBack }) };
}

function show(notice: Notice): Promise<void> {
  const { name, dir, of } = TEXTS[notice.language];
  return self.registration.showNotification(name, {
    body: of[notice.kind],
    lang: notice.language,
    dir,
    icon: '/icons/192.png',
    // Replaces an older notice about the same thing.
    tag: notice.wayBack ?? notice.kind,
    data: notice,
  });
}

async function findReply(): Promise<string> {
  const inbox = '/profile#messages';
  try {
    const { data } = await send({ url: '/notifications?limit=50' });
    const replies = (data as Answer<'listNotifications'>).filter((found) => found.kind === 'reply');
    const reply = replies.find(({ readAt }) => readAt === null) ?? replies[0];
    return reply === undefined ? inbox : `/profile#sent-${reply.subject.messageId}`;
  } catch {
    return inbox;
  }
}

async function addressOf({ kind, wayBack }: Notice): Promise<string> {
  if (wayBack !== undefined) return (await findReplyPath(wayBack)) ?? '/r';
  switch (kind) {
    case 'reply':
      return findReply();
    case 'report':
      return '/settings/receiving';
    case 'visits':
      return '/profile';
    case 'test':
      return '/settings/notices';
    case 'message':
    case 'several':
      return '/profile#messages';
  }
}

/** Shows the page in a tab that was opened with it, or in a new one. */
async function open(notice: Notice): Promise<void> {
  const { pathname, hash, href } = new URL(await addressOf(notice), self.location.origin);
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const same = tabs.find(({ url }) => new URL(url).pathname === pathname);
  if (same === undefined) {
    await self.clients.openWindow(href);
    return;
  }
  await same.focus();
  // A tab's URL is its first one. It may show another page by now.
  same.postMessage({ open: pathname + hash });
}

/** Missing in TypeScript's types. */
interface SubscriptionChange extends ExtendableEvent {
  oldSubscription: PushSubscription | null;
  newSubscription: PushSubscription | null;
}

/** Some browsers resubscribe by themselves, some leave it to the worker. */
async function follow({ oldSubscription, newSubscription }: SubscriptionChange): Promise<void> {
  const { pushManager } = self.registration;
  const subscription = newSubscription ?? (oldSubscription && (await pushManager.subscribe(oldSubscription.options)));
  if (subscription) await followSubscription(readSubscription(subscription));
}

/** Notices name only the kind. */
export function listenToPush(): void {
  self.addEventListener('push', (event) => event.waitUntil(show(readNotice(event.data))));
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data as Notice));
  });
  self.addEventListener('pushsubscriptionchange' as 'activate', (event) =>
    event.waitUntil(follow(event as SubscriptionChange)),
  );
}
