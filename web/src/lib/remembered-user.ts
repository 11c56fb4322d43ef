import { SIGNED_IN as KEY } from './signed-in.js';

/** Set from the end of an account's session until what it left on this device is gone. */
const LEFT = 'left';

/** How an account's session ended: by its own wish here, or in any other way. */
export type Leaving = 'signed-out' | 'ended';

/** @returns null if nobody is, undefined if the browser refuses its storage */
export function readRememberedUser(): string | null | undefined {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return undefined;
  }
}

export function rememberUser(id: number | null): void {
  try {
    const before = localStorage.getItem(KEY);
    if (before !== null && before !== String(id)) setLeaving('ended');
    if (id === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, String(id));
  } catch {
    // Without storage the home page shows for a moment, and other tabs notice a change when they come to the front.
  }
}

/** The account that is signed in at this browser, as far as its pages know. */
export const accountHere = (): number | null => Number(readRememberedUser() ?? 0) || null;

/** Null unless this device may have something of an account whose session has ended. */
export function readLeaving(): Leaving | null {
  try {
    return localStorage.getItem(LEFT) as Leaving | null;
  } catch {
    return null;
  }
}

export function setLeaving(how: Leaving | null): void {
  try {
    if (how === null) localStorage.removeItem(LEFT);
    else if (readLeaving() !== 'signed-out') localStorage.setItem(LEFT, how);
  } catch {
    // Without storage nothing was left.
  }
}

/**
 * Calls back when another tab changes it, and when the browser shows a page again that it has kept since.
 * @returns ends it
 */
export function onRememberedUserChange(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) listener();
  };
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) listener();
  };
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onShow);
  return () => {
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onShow);
  };
}
