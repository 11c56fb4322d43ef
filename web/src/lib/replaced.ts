import { fetchFromSite } from './http.js';

/** A newer build has replaced this page's scripts, so parts not yet loaded are missing. */
export async function isReplaced(): Promise<boolean> {
  const main = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (main === null) return false;
  try {
    return (await fetchFromSite(main.src, { method: 'HEAD' })).status === 404;
  } catch {
    return false;
  }
}

const isReloaded = () =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload');

const isUntouched = () =>
  [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input:not([type="checkbox"])'),
  ].every(({ value }) => value === '');

/** Reloads a replaced page, unless typed input would be lost. */
export async function loadNewBuild(): Promise<void> {
  if (!isReloaded() && isUntouched() && (await isReplaced())) window.location.reload();
}
