import { createHmac } from 'node:crypto';
import type { Identity } from '@najwa/common/identity';
import { clientNetwork } from '@najwa/common/limits';
import type { SenderTags } from '../store/message-record.js';

const TAG_LENGTH = 22;

/**
 * Tags a sender under one recipient's key. Tags under different keys cannot be linked.
 * @param key of the recipient, base64url
 * @param salts network salts in use
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
    // Other accounts may share the address and browser.
    if (user !== null) return tag('visitor of account', String(user.id));
    // Address and browser identify a visitor without a cookie, for at most a day.
    return tag('visitor', visitorId, ...salts);
  };
  return {
    account: user && accountTag(key, user.id),
    visitor: visitorTag(),
    networks: salts.map((salt) => tag('network', salt, clientNetwork(ip))),
  };
}

export const accountTag = (key: string, userId: number): string =>
  createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(JSON.stringify(['account', userId]))
    .digest('base64url')
    .slice(0, TAG_LENGTH);
