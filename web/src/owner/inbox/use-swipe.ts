import { type MouseEvent, type PointerEvent, useRef, useState, useSyncExternalStore } from 'react';

/** Distance that starts a swipe, above a finger's tremble, in pixels. */
const START_DISTANCE = 14;
/** Distance that triggers the action, in pixels. */
const TRIGGER_DISTANCE = 96;
/** The card stops here. */
const MAX_DISTANCE = 128;

interface Swipe {
  x: number;
  y: number;
  /** Null until the direction is known. */
  isAlong: boolean | null;
}

function onZoom(note: () => void): () => void {
  window.visualViewport?.addEventListener('resize', note);
  return () => window.visualViewport?.removeEventListener('resize', note);
}

/** Only repeats a button, pans while zoomed, and must cause nothing that others see: fingers slip. */
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
          if (Math.max(Math.abs(distance), across) < START_DISTANCE) return;
          current.isAlong = Math.abs(distance) > across;
          if (!current.isAlong) return;
          event.currentTarget.setPointerCapture(event.pointerId);
        }
        wasMoved.current = true;
        setIsPulled(distance > 0);
        const far = onSwipe === undefined ? 0 : Math.min(Math.max(distance, 0), MAX_DISTANCE);
        event.currentTarget.style.translate = `${String(Math.sign(event.clientX - current.x) * far)}px 0`;
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const { current } = swipe;
        if (current === null) return;
        const distance = distanceOf(event, current);
        release(event.currentTarget);
        if (current.isAlong === true && distance >= TRIGGER_DISTANCE) onSwipe?.();
      },
      onPointerCancel: (event: PointerEvent<HTMLElement>) => release(event.currentTarget),
      onClickCapture: (event: MouseEvent) => {
        // Suppress the click after a swipe.
        if (!wasMoved.current) return;
        wasMoved.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
