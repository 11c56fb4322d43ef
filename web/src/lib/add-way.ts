import { accountHere } from './signed-in.js';
import { device } from './storage.js';

/** Has no text: that is fetched with the token. */
export interface SavedWayBack {
  /** `/r/{token}` */
  path: string;
  /** Missing if it comes later. */
  messageId?: number | undefined;
  username: string;
  sentAt: string;
  /** Account that sent the message, or null. The link is removed with it. */
  account: number | null;
  usedOn: string;
}

export type NewWayBack = Omit<SavedWayBack, 'account' | 'usedOn'>;

/** Needs no further code (kept-ways.ts): nothing may load any more. */
export function addWayBack(way: NewWayBack): void {
  const kept = device.readJson('ways-back');
  const ways: unknown[] = Array.isArray(kept) ? kept : [];
  device.write('ways-back', JSON.stringify([{ ...way, account: accountHere(), usedOn: way.sentAt }, ...ways]));
}
