import { useState } from 'react';
import { useMedia } from '../../lib/hooks.js';
import { device } from '../../lib/storage.js';
import { PHONE } from '../../theme/index.js';

export type Density = 'compact' | 'comfortable';

const readKept = (): Density => (device.read('density') === 'compact' ? 'compact' : 'comfortable');

/**
 * Height of a message's card. Phones are compact, and other devices remember the choice. A phone that is turned on its
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
      device.write('density', next);
    },
  };
}
