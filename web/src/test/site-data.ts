import { afterEach } from '@jest/globals';

const BLOCKED: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [window, ['localStorage', 'sessionStorage', 'indexedDB', 'caches']],
  [document, ['cookie']],
  [navigator, ['serviceWorker', 'locks', 'storage']],
];

const restorers: (() => void)[] = [];

/** As "block all site data" does, until the end of the test. */
export function blockSiteData(): void {
  const refuse = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  for (const [owner, names] of BLOCKED)
    for (const name of names) {
      const before = Object.getOwnPropertyDescriptor(owner, name);
      Object.defineProperty(owner, name, { configurable: true, get: refuse, set: refuse });
      restorers.push(() => {
        if (before === undefined) Reflect.deleteProperty(owner, name);
        else Object.defineProperty(owner, name, before);
      });
    }
}

// Import before setup.ts, which clears the storage after each test.
afterEach(() => {
  for (const restore of restorers.splice(0)) restore();
});
