import type { PermanentKey } from '@najwa/product';
import type { AccountKey } from '../store/message-record.js';
import type { BrowserSubscription } from './push-services.js';
import type { PushSubscriptionRecord } from './subscription-store.js';

export interface PushSecret {
  subscription: BrowserSubscription;
  /** Null for a way back. */
  userId: number | null;
}

/** HMACs that find subscriptions, unlinkable across purposes. */
export const pushTags = (key: PermanentKey) => ({
  /** @param account id or tag: notifications have either */
  account: (account: AccountKey): string => key.tag('push to account', String(account)),
  message: (messageId: number): string => key.tag('push of message', messageId),
  session: (sessionId: string): string => key.tag('push in session', sessionId),
  /** A browser belongs to one account and any number of messages. */
  browserOfAccount: (endpoint: string): string => key.tag('browser of an account', endpoint),
  browserOfMessage: (endpoint: string, messageId: number): string => key.tag('browser', endpoint, messageId),
  noticeMark: (subscriptionId: string, about: string): string => key.tag('told', subscriptionId, about),
  /** One for all kinds: the push service must not distinguish them. */
  topic: (subscriptionId: string): string => key.tag('topic', subscriptionId),
});

export type PushTags = ReturnType<typeof pushTags>;

const ownerOf = (id: string): string => `push subscription ${id}`;

export const sealSecret = (key: PermanentKey, id: string, secret: PushSecret): string =>
  key.seal(Buffer.from(JSON.stringify(secret)), ownerOf(id));

export const openSecret = (key: PermanentKey, { id, sealed }: Pick<PushSubscriptionRecord, 'id' | 'sealed'>) =>
  JSON.parse(key.open(sealed, ownerOf(id)).toString()) as PushSecret;
