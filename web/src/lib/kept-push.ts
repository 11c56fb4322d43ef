import { keepOwn, type OwnSubscription } from './told-browser.js';

/** Storage keys for the choices about notices in this browser. */
const KEYS = { id: 'push-subscription', renewed: 'push-renewed', notNow: 'push-not-now' } as const;

const DAY = 24 * 60 * 60 * 1000;
const REST = 30 * DAY;

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // A browser may refuse its storage. Then it is asked again.
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}

/** The subscription of this browser, if it made one for an account. */
export const keptSubscription = (): string | null => read(KEYS.id);

export function keepSubscription(own: OwnSubscription | null): void {
  write(KEYS.id, own?.id ?? null);
  write(KEYS.renewed, own === null ? null : String(Date.now()));
  // Without it, the service worker does not follow a change of the subscription, and a page does later.
  keepOwn(own).catch(() => undefined);
}

/** True once a day: the subscription expires if it is never renewed. */
export function mayRenew(): boolean {
  if (Date.now() - Number(read(KEYS.renewed)) < DAY) return false;
  write(KEYS.renewed, String(Date.now()));
  return true;
}

export const isResting = (): boolean => Date.now() - Number(read(KEYS.notNow)) < REST;

export const rest = (): void => {
  write(KEYS.notNow, String(Date.now()));
};
