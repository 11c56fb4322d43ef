import { device } from './storage.js';

/** The user signed out here, or the session ended otherwise. */
export type Leaving = 'signed-out' | 'ended';

/** @returns null if signed out, undefined if storage is refused */
export const readRememberedUser = (): string | null | undefined =>
  device.isOpen() ? device.read('signed-in') : undefined;

/** Without storage, the home page flashes and other tabs notice changes late. */
export function rememberUser(id: number | null): void {
  const before = device.read('signed-in');
  if (before !== null && before !== String(id)) setLeaving('ended');
  device.write('signed-in', id === null ? null : String(id));
}

/** Null unless an ended session may have left data. */
export const readLeaving = (): Leaving | null => device.read('left') as Leaving | null;

export function setLeaving(how: Leaving | null): void {
  if (how === null || readLeaving() !== 'signed-out') device.write('left', how);
}

/** On changes by other tabs, and when a page is restored from the back/forward cache. @returns ends it */
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
