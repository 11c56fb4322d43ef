import { type MouseEvent, type PointerEvent, useRef, useState, useSyncExternalStore } from 'react';

/** Distance at which a swipe begins: more than a finger trembles, in pixels. */
const BEGIN = 14;
/** Distance at which the action runs, in pixels. */
const ENOUGH = 96;
/** The card follows no further. */
const FURTHEST = 128;

interface Swipe {
  x: number;
  y: number;
  /** Null until it is known whether the finger moves along the line. */
  isAlong: boolean | null;
}

function onZoom(note: () => void): () => void {
  window.visualViewport?.addEventListener('resize', note);
  return () => window.visualViewport?.removeEventListener('resize', note);
}

/**
 * A finger that moves a card towards the end of the line. It only repeats what a button does, and moves the page while that is
 * zoomed. Nothing that others would see may come of it: fingers slip.
 */
export function useSwipe(onSwipe: (() => void) | undefined) {
  const swipe = useRef<Swipe | null>(null);
  const wasMoved = useRef(false);
  const [isPulled, setIsPulled] = useState(false);
  const isZoomed = useSyncExternalStore(
    onZoom,
    () => (window.visualViewport?.scale ?? 1) > 1,
    () => false,
  );

  const distanceOf = (event: PointerEvent<HTMLElement>, from: Swipe) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    return (event.clientX - from.x) * (isRtl ? -1 : 1);
  };
  const release = (card: HTMLElement) => {
    card.style.translate = '';
    swipe.current = null;
    setIsPulled(false);
  };

  return {
    isPulled,
    handlers: {
      style: isZoomed ? { touchAction: 'auto' } : undefined,
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        wasMoved.current = false;
        if (event.pointerType === 'touch' && event.isPrimary && !isZoomed)
          swipe.current = { x: event.clientX, y: event.clientY, isAlong: null };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const { current } = swipe;
        if (current === null || current.isAlong === false) return;
        const distance = distanceOf(event, current);
        if (current.isAlong === null) {
          const across = Math.abs(event.clientY - current.y);
          if (Math.max(Math.abs(distance), across) < BEGIN) return;
          current.isAlong = Math.abs(distance) > across;
          if (!current.isAlong) return;
          event.currentTarget.setPointerCapture(event.pointerId);
        }
        wasMoved.current = true;
        setIsPulled(distance > 0);
        const far = onSwipe === undefined ? 0 : Math.min(Math.max(distance, 0), FURTHEST);
        event.currentTarget.style.translate = `${String(Math.sign(event.clientX - current.x) * far)}px 0`;
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const { current } = swipe;
        if (current === null) return;
        const distance = distanceOf(event, current);
        release(event.currentTarget);
        if (current.isAlong === true && distance >= ENOUGH) onSwipe?.();
      },
      onPointerCancel: (event: PointerEvent<HTMLElement>) => {
        release(event.currentTarget);
      },
      onClickCapture: (event: MouseEvent) => {
        // The end of a swipe is no press.
        if (!wasMoved.current) return;
        wasMoved.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
