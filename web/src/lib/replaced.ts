import { fetchFromSite } from './http.js';

/**
 * True if the server has this page's scripts no more, since a newer build took their place. Parts of the page that were not loaded yet
 * are missing then, whatever the line is like.
 */
export async function isReplaced(): Promise<boolean> {
  const main = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (main === null) return false;
  try {
    return (await fetchFromSite(main.src, { method: 'HEAD' })).status === 404;
  } catch {
    return false;
  }
}

/** True if the page came by a reload: another one would change nothing. */
const isReloaded = () =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload');

const isUntouched = () =>
  [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input:not([type="checkbox"])'),
  ].every(({ value }) => value === '');

/** Loads the page anew if it was replaced, unless that takes away what somebody has typed. */
export async function loadNewBuild(): Promise<void> {
  if (!isReloaded() && isUntouched() && (await isReplaced())) window.location.reload();
}
