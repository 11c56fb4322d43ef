import { useSyncExternalStore } from 'react';

const THRESHOLD = 20;

function subscribe(onChange: () => void) {
  window.addEventListener('scroll', onChange, { passive: true });
  return () => {
    window.removeEventListener('scroll', onChange);
  };
}

/** True once the page has scrolled far enough for the header to shrink. */
export const useScrolled = () => useSyncExternalStore(subscribe, () => window.scrollY > THRESHOLD);
