import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Scroll positions of pages that were left, by the keys of their entries in the history. */
const positions = new Map<string, number>();

/** True for a page that is returned to. It is where it was left, not where its hash leads. */
export const wasLeft = (key: string): boolean => positions.has(key);

/** The highest position that the page has room for. */
function highest(): number {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight - clientHeight;
}

const INPUTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** A page that is not high enough by then has lost what was there. */
const LONGEST_RETURN_MS = 10_000;

/** Scrolls to a position once the page is high enough, and stays there while it loads, until something else moves it. */
function returnTo(top: number): AbortController {
  const ended = new AbortController();
  const { signal } = ended;
  const end = () => {
    ended.abort();
  };
  let isReached = false;
  const approach = () => {
    // Only a page that became too short moves by itself.
    if (isReached && Math.abs(window.scrollY - top) > 1 && window.scrollY < highest() - 1) end();
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

/** The key of the address that a tab was opened with. */
export const OPENED = 'default';

/** Adds an entry to the history before there is a router, which it comes back from as from any other. */
export function pushFirst(to: string): void {
  const { key = OPENED, idx = 0 } = (window.history.state ?? {}) as { key?: string; idx?: number };
  positions.set(key, window.scrollY);
  // It belongs to the entry that is left. The next one inherits it.
  window.history.scrollRestoration = 'manual';
  window.history.pushState({ key: Date.now().toString(36), idx: idx + 1 }, '', to);
  window.scrollTo(0, 0);
}

/** New pages open at the top, Back restores the position. The browser handles reloads. */
export function useScrollRestoration(): void {
  const { key, hash } = useLocation();
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
    const former = positions.get(key);
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
      positions.set(key, current.current);
      returning?.abort();
      window.removeEventListener('scroll', remember);
    };
  }, [key, hash]);
}
