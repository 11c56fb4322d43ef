/** A way back that this device keeps. It has no text: that is asked for with the token. */
export interface KeptWay {
  /** `/r/{token}` */
  path: string;
  messageId: number;
  /** The recipient's. */
  username: string;
  sentAt: string;
}

/** The localStorage key of the ways back, newest first. */
export const WAYS_KEY = 'ways-back';

/** Keeps a way back without loading the list's code (kept-ways.ts), since no part of the page may arrive any more. */
export function addWay(way: KeptWay): void {
  try {
    const kept = JSON.parse(localStorage.getItem(WAYS_KEY) ?? '[]') as KeptWay[];
    localStorage.setItem(WAYS_KEY, JSON.stringify([way, ...kept]));
  } catch {
    // A browser may refuse its storage. The way shows in the page.
  }
}
