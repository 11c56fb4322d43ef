import { forgetOldDrafts, forgetTabOfOthers } from './drafts.js';
import { forgetWaysOfOthers } from './kept-ways.js';
import { forgetOldWaiting } from './outbox/send.js';
import { forgetDeliveredOfOthers } from './outbox/store.js';
import { endReplySubscriptions } from './push-change.js';
import { keepSubscription, listReplySubscriptions, readOwn } from './push-subscriptions.js';
import { type Leaving, readLeaving, setLeaving } from './remembered-user.js';
import { serviceWorkers } from './service-worker.js';
import type { DeviceEntry, TabEntry } from './storage.js';

interface Departure {
  /** The account that is signed in now, or null. */
  account: number | null;
  how: Leaving | null;
}

type Rule = 'stays' | ((departure: Departure) => void | Promise<void>);

type Kept = `device.${DeviceEntry}` | `tab.${TabEntry}` | `outbox.${'waiting' | 'gone'}` | `push.${'replies' | 'own'}`;

/**
 * All entries that pages keep on a device, with their fate when an account leaves, in this order. A text that has not gone out exists
 * nowhere else. It stays for its writer, whom alone it is shown to: on the device for a time (kept-for.ts), in a tab until its
 * writer signs out.
 */
const KEPT: Record<Kept, Rule> = {
  'device.ways-back': ({ account }) => {
    forgetWaysOfOthers(account);
  },
  'tab.draft': ({ account, how }) => {
    if (how === 'signed-out') forgetTabOfOthers(account);
  },
  'device.draft': forgetOldDrafts,
  'outbox.gone': ({ account }) => forgetDeliveredOfOthers(account),
  'outbox.waiting': forgetOldWaiting,
  'push.replies': ({ account }) =>
    endReplySubscriptions((reply) => reply.account !== null && reply.account !== account),
  'push.own': endNotices,
  // Go with the account's subscription.
  'device.push-subscription': 'stays',
  'device.push-renewed': 'stays',
  // It is shown to its account alone, for some seconds.
  'tab.undo': 'stays',
  // It is gone before an account is there.
  'tab.wanted': 'stays',
  // The assistant forgets those of other accounts by itself, on every page (ChatWidget.tsx).
  'device.conversations': 'stays',
  // Choices of whoever uses the device, and names that tell nothing of an account.
  'device.density': 'stays',
  'device.language': 'stays',
  'device.push-not-now': 'stays',
  'device.visitorId': 'stays',
  // Follow the session and the outbox.
  'device.signed-in': 'stays',
  'device.outbox': 'stays',
  // Stays until everything above is done, so that a page that was closed too early leaves it to the next one.
  'device.left': () => {
    setLeaving(null);
  },
};

/** Closes notices about accounts, and about ways back that this browser is not notified of any more. */
async function endNotices({ account }: Departure): Promise<void> {
  const own = await readOwn();
  if (own !== null && own.account !== account) keepSubscription(null);
  const registration = await serviceWorkers()?.getRegistration();
  if (registration === undefined) return;
  const replies = await listReplySubscriptions();
  for (const notice of await registration.getNotifications()) {
    const { wayBack } = (notice.data ?? {}) as { wayBack?: string };
    if (!replies.some(({ id }) => id === wayBack)) notice.close();
  }
  // Nothing is left to be told. What is under way does not show any more.
  if (replies.length === 0 && own?.account !== account)
    await (await registration.pushManager.getSubscription())?.unsubscribe();
}

/** Removes what accounts left on this device that are not signed in any more. @param account that is signed in, or null */
export async function leaveDevice(account: number | null): Promise<void> {
  const departure = { account, how: readLeaving() };
  for (const rule of Object.values(KEPT)) if (rule !== 'stays') await rule(departure);
}
