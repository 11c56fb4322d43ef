import { forgetOldDrafts, forgetTabOfOthers } from './drafts.js';
import { forgetWaysBackOfOthers } from './kept-ways.js';
import { forgetOldWaiting } from './outbox/send.js';
import { forgetDeliveredOfOthers } from './outbox/store.js';
import { endReplySubscriptions } from './push-change.js';
import { keepSubscription, listReplySubscriptions, readOwn } from './push-subscriptions.js';
import { type Leaving, readLeaving, setLeaving } from './remembered-user.js';
import { serviceWorkers } from './service-worker.js';
import type { DeviceEntry, TabEntry } from './storage.js';
import { forgetCodesOfOthers } from './unsaved-codes.js';

interface Departure {
  account: number | null;
  how: Leaving | null;
}

type Rule = 'stays' | ((departure: Departure) => void | Promise<void>);

type Kept = `device.${DeviceEntry}` | `tab.${TabEntry}` | `outbox.${'waiting' | 'gone'}` | `push.${'replies' | 'own'}`;

/**
 * What happens to each stored entry when an account leaves, in this order. Unsent texts exist nowhere else: they stay
 * on the device for a time (kept-for.ts), in a tab until signing out.
 */
const KEPT: Record<Kept, Rule> = {
  'device.ways-back': ({ account }) => forgetWaysBackOfOthers(account),
  'tab.draft': ({ account, how }) => {
    if (how === 'signed-out') forgetTabOfOthers(account);
  },
  'tab.recovery-codes': ({ account }) => forgetCodesOfOthers(account),
  'device.draft': forgetOldDrafts,
  'outbox.gone': ({ account }) => forgetDeliveredOfOthers(account),
  'outbox.waiting': forgetOldWaiting,
  'push.replies': ({ account }) =>
    endReplySubscriptions((reply) => reply.account !== null && reply.account !== account),
  'push.own': endNotices,
  // Removed with the account's subscription.
  'device.push-subscription': 'stays',
  'device.push-renewed': 'stays',
  // Shown to its account alone, for some seconds.
  'tab.undo': 'stays',
  // Gone before an account is there.
  'tab.wanted': 'stays',
  // The assistant itself forgets those of other accounts (ChatWidget.tsx).
  'device.conversations': 'stays',
  // Preferences of the device, and names that reveal no account.
  'device.language': 'stays',
  'device.digits': 'stays',
  'device.push-not-now': 'stays',
  'device.visitorId': 'stays',
  'device.signed-in': 'stays',
  'device.outbox': 'stays',
  // Leads its account to new codes.
  'device.unsaved-codes': 'stays',
  // Last, so that the next page continues if this one closes too early.
  'device.left': () => setLeaving(null),
};

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
  // Pending pushes are no longer shown.
  if (replies.length === 0 && own?.account !== account)
    await (await registration.pushManager.getSubscription())?.unsubscribe();
}

/** @param account signed in, or null */
export async function leaveDevice(account: number | null): Promise<void> {
  const departure = { account, how: readLeaving() };
  for (const rule of Object.values(KEPT)) if (rule !== 'stays') await rule(departure);
}
