import { device } from './storage.js';

/** End of an account's session: by its own wish here, or in any other way. */
export type Leaving = 'signed-out' | 'ended';

/** @returns null if nobody is, undefined if the browser refuses its storage */
export const readRememberedUser = (): string | null | undefined =>
  device.isOpen() ? device.read('signed-in') : undefined;

/** Without storage the home page shows for a moment, and other tabs notice a change when they come to the front. */
export function rememberUser(id: number | null): void {
  const before = device.read('signed-in');
  if (before !== null && before !== String(id)) setLeaving('ended');
  device.write('signed-in', id === null ? null : String(id));
}

/** Null unless this device may have something of an account whose session has ended. */
export const readLeaving = (): Leaving | null => device.read('left') as Leaving | null;

export function setLeaving(how: Leaving | null): void {
  if (how === null || readLeaving() !== 'signed-out') device.write('left', how);
}

/**
 * Calls back when another tab changes it, and when the browser shows a page again that it has kept since.
 * @returns ends it
 */
export function onRememberedUserChange(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === 'signed-in' || key === null) listener();
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
