import { useEffect, useEffectEvent, useState } from 'react';

/** Distance from an edge at which more loads, in pixels. */
const NEAR = 600;

/** With data saving on, visitors press a button. */
const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

interface Options {
  /** The start counts only above the window. */
  edge?: 'end' | 'start';
  isReady: boolean;
  /** Changes even if a fast answer arrives before the list renders again. */
  pages: number;
  onNear: () => void;
}

/** Calls back once per number of pages when an edge is near. */
export function useNearEdge(element: HTMLElement | null, { edge = 'end', isReady, pages, onNear }: Options): void {
  const [isNear, setNear] = useState(false);

  useEffect(() => {
    if (element === null || typeof IntersectionObserver === 'undefined' || savesData()) return;
    const watched = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        setNear(last?.isIntersecting === true && (edge === 'end' || last.boundingClientRect.bottom < 0));
      },
      { rootMargin: `${String(NEAR)}px 0px` },
    );
    watched.observe(element);
    return () => watched.disconnect();
  }, [element, edge]);

  const call = useEffectEvent(onNear);
  useEffect(() => {
    if (isNear && isReady) call();
  }, [isNear, isReady, pages]);
}
