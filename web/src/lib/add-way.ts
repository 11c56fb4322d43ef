import { accountHere } from './signed-in.js';
import { device } from './storage.js';

/** A way back that this device keeps. It has no text: that is asked for with the token. */
export interface KeptWay {
  /** `/r/{token}` */
  path: string;
  messageId: number;
  /** The recipient's. */
  username: string;
  sentAt: string;
  /** Id of the account that sent the message, or null. It leaves this device with its account. */
  account: number | null;
  /** Day of its last use here, or the time of sending if there was none. */
  usedOn: string;
}

export type NewWay = Omit<KeptWay, 'account' | 'usedOn'>;

/** Keeps a way back without loading the list's code (kept-ways.ts), since no part of the page may arrive any more. */
export function addWay(way: NewWay): void {
  const kept = device.readJson('ways-back');
  const ways: unknown[] = Array.isArray(kept) ? kept : [];
  device.write('ways-back', JSON.stringify([{ ...way, account: accountHere(), usedOn: way.sentAt }, ...ways]));
}
