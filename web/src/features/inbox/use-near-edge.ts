import { useEffect, useEffectEvent, useState } from 'react';

/** Distance between the window and an edge of the list at which more is read, in pixels. */
const NEAR = 600;

/** A visitor who asked the browser to save data presses the button. */
const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

interface Options {
  /** The end of the list, or its beginning, which counts only where it is above the window. */
  edge?: 'end' | 'start';
  isReady: boolean;
  /** Pages of the list. A quick answer changes nothing else: the list may not be rendered between its call and its answer. */
  pages: number;
  onNear: () => void;
}

/** Calls a function each time an edge of a list is near, once for each number of pages. */
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
    return () => {
      watched.disconnect();
    };
  }, [element, edge]);

  const call = useEffectEvent(onNear);
  useEffect(() => {
    if (isNear && isReady) call();
  }, [isNear, isReady, pages]);
}
