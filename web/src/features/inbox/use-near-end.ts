import { useEffect, useEffectEvent, useState } from 'react';

/** Distance between the window and the end of the list at which more is read, in pixels. */
const NEAR = 600;

/** A visitor who asked the browser to save data presses the button. */
const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Calls a function each time the end of a list is near, once for each state of the list. */
export function useNearEnd(end: HTMLElement | null, isReady: boolean, onNear: () => void): void {
  const [isNear, setNear] = useState(false);

  useEffect(() => {
    if (end === null || typeof IntersectionObserver === 'undefined' || savesData()) return;
    const watched = new IntersectionObserver(
      (entries) => {
        setNear(entries.at(-1)?.isIntersecting === true);
      },
      { rootMargin: `${String(NEAR)}px 0px` },
    );
    watched.observe(end);
    return () => {
      watched.disconnect();
    };
  }, [end]);

  const call = useEffectEvent(onNear);
  useEffect(() => {
    if (isNear && isReady) call();
  }, [isNear, isReady]);
}
