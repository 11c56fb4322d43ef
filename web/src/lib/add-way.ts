import { SIGNED_IN } from './signed-in.js';

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

/** The localStorage key of the ways back, newest first. */
export const WAYS_KEY = 'ways-back';

/** Keeps a way back without loading the list's code (kept-ways.ts), since no part of the page may arrive any more. */
export function addWay(way: NewWay): void {
  try {
    const kept = JSON.parse(localStorage.getItem(WAYS_KEY) ?? '[]') as KeptWay[];
    const account = Number(localStorage.getItem(SIGNED_IN)) || null;
    localStorage.setItem(WAYS_KEY, JSON.stringify([{ ...way, account, usedOn: way.sentAt }, ...kept]));
  } catch {
    // A browser may refuse its storage. The way shows in the page.
  }
}
