const BLOCKED: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [window, ['localStorage', 'sessionStorage', 'indexedDB', 'caches']],
  [document, ['cookie']],
  [navigator, ['serviceWorker', 'locks', 'clipboard', 'storage']],
];

/** Refuses everything that a browser keeps for a site, as "block all site data" does. @returns ends it */
export function blockSiteData(): () => void {
  const refuse = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  const restorers = BLOCKED.flatMap(([owner, names]) =>
    names.map((name) => {
      const before = Object.getOwnPropertyDescriptor(owner, name);
      Object.defineProperty(owner, name, { configurable: true, get: refuse, set: refuse });
      return () => {
        if (before === undefined) Reflect.deleteProperty(owner, name);
        else Object.defineProperty(owner, name, before);
      };
    }),
  );
  return () => {
    for (const restore of restorers) restore();
  };
}
