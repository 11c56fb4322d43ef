import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** Scroll positions of pages that were left, by the keys of their entries in the history. */
const positions = new Map<string, number>();

/** Whether somebody comes back to the page. Then it is where it was left, and not where its hash leads. */
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
  let reached: number | undefined;
  const approach = () => {
    const wasMoved = reached !== undefined && Math.abs(window.scrollY - reached) > 1;
    if (wasMoved && window.scrollY < highest() - 1) end();
    if (signal.aborted) return;
    window.scrollTo(0, top);
    reached = window.scrollY;
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

interface HistoryState {
  key?: string;
  idx?: number;
  /** Position at which the document was left. */
  top?: number;
}

const historyState = () => (window.history.state ?? {}) as HistoryState;

/** The key of the address that a tab was opened with. */
export const OPENED = 'default';

/** Adds an entry to the history before there is a router, which it comes back from as from any other. */
export function pushFirst(to: string): void {
  const { key = OPENED, idx = 0 } = historyState();
  positions.set(key, window.scrollY);
  window.history.pushState({ key: Date.now().toString(36), idx: idx + 1 }, '', to);
  window.scrollTo(0, 0);
}

/** Opens a new page at its top, and returns to the old position on Back, and after a reload. */
export function useScrollRestoration(): void {
  const { key, hash } = useLocation();
  const type = useNavigationType();
  const isFirst = useRef(true);
  const current = useRef(0);

  useEffect(() => {
    const leave = () => {
      window.history.replaceState({ ...historyState(), top: current.current }, '');
      window.history.scrollRestoration = 'auto';
    };
    window.history.scrollRestoration = 'manual';
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.history.scrollRestoration = 'auto';
    };
  }, []);

  useLayoutEffect(() => {
    const { top } = historyState();
    // Else the browser has done it, and the reader may have moved on since.
    if (isFirst.current && top !== undefined && top > highest()) positions.set(key, top);
    else if (!isFirst.current && type !== NavigationType.Pop && hash === '') window.scrollTo(0, 0);
    isFirst.current = false;
    const former = type === NavigationType.Pop ? positions.get(key) : undefined;
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
  }, [key, hash, type]);
}
