/** Id of the account that is signed in at this browser. before-paint.js reads it as well. */
const KEY = 'signed-in';

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
    if (id === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, String(id));
  } catch {
    // Without storage the home page shows for a moment, and other tabs notice a change when they come to the front.
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
