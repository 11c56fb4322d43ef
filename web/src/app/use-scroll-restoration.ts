import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** New pages open at the top, Back restores the position. The browser handles reloads. */
export function useScrollRestoration(): void {
  const { key, hash } = useLocation();
  const type = useNavigationType();
  const positions = useRef(new Map<string, number>());
  const isFirst = useRef(true);

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
    if (isFirst.current) isFirst.current = false;
    else if (type === NavigationType.Pop) window.scrollTo(0, positions.current.get(key) ?? 0);
    else if (hash === '') window.scrollTo(0, 0);
  }, [key, hash, type]);

  useEffect(() => {
    const { current } = positions;
    const remember = () => {
      current.set(key, window.scrollY);
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      window.removeEventListener('scroll', remember);
    };
  }, [key]);
}
