import { useState } from 'react';
import { useMedia } from '../../lib/hooks.js';
import { PHONE } from '../../theme/index.js';

export type Density = 'compact' | 'comfortable';

const KEY = 'density';

function readKept(): Density {
  try {
    return localStorage.getItem(KEY) === 'compact' ? 'compact' : 'comfortable';
  } catch {
    // The browser keeps nothing for this site.
    return 'comfortable';
  }
}

/**
 * How much room a message takes. Phones are compact, and other devices remember the choice. A phone that is turned on its
 * side stays as it was: other cards would close what is open in them.
 */
export function useDensity() {
  const isPhone = useMedia(PHONE);
  const [density, setDensity] = useState<Density>(() => (isPhone ? 'compact' : readKept()));
  return {
    /** The choice is offered where it is kept. */
    isPhone,
    density,
    choose: (next: Density) => {
      setDensity(next);
      try {
        localStorage.setItem(KEY, next);
      } catch {
        // It lasts as long as the page.
      }
    },
  };
}
