import { useState } from 'react';
import { useMedia } from '../../lib/hooks.js';
import { device } from '../../lib/storage.js';
import { PHONE } from '../../theme/index.js';

export type Density = 'compact' | 'comfortable';

const readKept = (): Density => (device.read('density') === 'compact' ? 'compact' : 'comfortable');

/** Phones are compact. Rotating one changes nothing: other cards would close what is open. */
export function useDensity() {
  const isPhone = useMedia(PHONE);
  const [density, setDensity] = useState<Density>(() => (isPhone ? 'compact' : readKept()));
  return {
    /** Phones offer no choice. */
    isPhone,
    density,
    choose: (next: Density) => {
      setDensity(next);
      device.write('density', next);
    },
  };
}
