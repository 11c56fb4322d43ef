import { createHmac } from 'node:crypto';
import type { Identity } from '@najwa/common/identity';
import { clientNetwork } from '@najwa/common/limits';
import type { SenderTags } from '../store/message-record.js';

const TAG_LENGTH = 22;

/**
 * Tags of a sender under the key of one recipient. Tags under two keys have nothing in common, so they can only be
 * compared within the messages to one account.
 * @param key of the recipient, base64url
 * @param salts in use for networks
 */
export function senderTags(
  key: string,
  { user, visitorId, visitorByAddress, ip }: Identity,
  salts: string[],
): SenderTags {
  const secret = Buffer.from(key, 'base64url');
  const tag = (...parts: string[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, TAG_LENGTH);
  const visitorTag = (): string => {
    if (!visitorByAddress) return tag('visitor', visitorId);
    // Other accounts have the same address and browser.
    if (user !== null) return tag('visitor of account', String(user.id));
    // Without a cookie the visitor is known by address and browser, which must not be recognised for longer than a day.
    return tag('visitor', visitorId, ...salts);
  };
  return {
    account: user && accountTag(key, user.id),
    visitor: visitorTag(),
    networks: salts.map((salt) => tag('network', salt, clientNetwork(ip))),
  };
}

/** The tag of an account under the key of one recipient. */
export const accountTag = (key: string, userId: number): string =>
  createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(JSON.stringify(['account', userId]))
    .digest('base64url')
    .slice(0, TAG_LENGTH);
