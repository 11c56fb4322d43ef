import { useEffect, useLayoutEffect, useRef } from 'react';
import { type Location, useLocation } from 'react-router-dom';

/** Scroll positions of pages that were left, by their entries in the history. */
const positions = new Map<string, number>();

type Entry = Pick<Location, 'key' | 'pathname' | 'hash'>;

/** All addresses that the browser opened by itself share one key. */
const entryOf = ({ key, pathname, hash }: Entry): string => `${key} ${pathname}${hash}`;

/** True for a page that is returned to. It is where it was left, not where its hash leads. */
export const wasLeft = (location: Entry): boolean => positions.has(entryOf(location));

const INPUTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** A page that is not high enough by then has lost what was there. */
const LONGEST_RETURN_MS = 10_000;

/** Scrolls to a position once the page is high enough, and stays there while it loads, until something else moves it. */
function returnTo(top: number): AbortController {
  const ended = new AbortController();
  const { signal } = ended;
  const end = () => ended.abort();
  let isReached = false;
  const approach = () => {
    const { scrollHeight, clientHeight } = document.documentElement;
    // Only a page that became too short moves by itself.
    if (isReached && Math.abs(window.scrollY - top) > 1 && window.scrollY < scrollHeight - clientHeight - 1) end();
    if (signal.aborted) return;
    window.scrollTo(0, top);
    isReached ||= Math.abs(window.scrollY - top) <= 1;
  };
  approach();
  const grown = new ResizeObserver(approach);
  grown.observe(document.body);
  for (const input of INPUTS) window.addEventListener(input, end, { signal, passive: true });
  const timer = setTimeout(end, LONGEST_RETURN_MS);
  signal.addEventListener('abort', () => {
    grown.disconnect();
    clearTimeout(timer);
  });
  return ended;
}

/** React Router's key of an address that the browser opened by itself. */
export const OPENED = 'default';

/** Adds an entry to the history before there is a router, which it comes back from as from any other. */
export function pushFirst(to: string): void {
  const { key = OPENED, idx = 0 } = (window.history.state ?? {}) as { key?: string; idx?: number };
  const { pathname, hash } = window.location;
  positions.set(entryOf({ key, pathname, hash }), window.scrollY);
  // It belongs to the entry that is left. The next one inherits it.
  window.history.scrollRestoration = 'manual';
  window.history.pushState({ key: Date.now().toString(36), idx: idx + 1 }, '', to);
  window.scrollTo(0, 0);
}

/** New pages open at the top, Back restores the position. The browser handles reloads. */
export function useScrollRestoration(): void {
  const location = useLocation();
  const entry = entryOf(location);
  const { hash } = location;
  const isFirst = useRef(true);
  const current = useRef(0);

  useEffect(() => {
    const letBrowserRestore = () => {
      window.history.scrollRestoration = 'auto';
    };
    window.history.scrollRestoration = 'manual';
    window.addEventListener('pagehide', letBrowserRestore);
    return () => {
      window.removeEventListener('pagehide', letBrowserRestore);
      letBrowserRestore();
    };
  }, []);

  useLayoutEffect(() => {
    const former = positions.get(entry);
    if (!isFirst.current && former === undefined && hash === '') window.scrollTo(0, 0);
    isFirst.current = false;
    current.current = former ?? window.scrollY;
    const returning = former === undefined ? undefined : returnTo(former);
    const remember = () => {
      // A page that is still too short has moved to its end by itself.
      if (returning?.signal.aborted !== false) current.current = window.scrollY;
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      positions.set(entry, current.current);
      returning?.abort();
      window.removeEventListener('scroll', remember);
    };
  }, [entry, hash]);
}
