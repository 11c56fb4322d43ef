import { type MouseEvent, type PointerEvent, useRef, useState } from 'react';

/** Distance at which a swipe begins: more than a finger trembles, in pixels. */
const BEGIN = 14;
/** Distance at which the action runs, in pixels. */
const ENOUGH = 96;
/** The card follows no further. */
const FURTHEST = 128;

export type Side = 'start' | 'end';

interface Swipe {
  x: number;
  y: number;
  /** Null until it is known whether the finger moves along the line. */
  isAlong: boolean | null;
}

/**
 * A finger that moves a card along the line. It only repeats what buttons do.
 * @param onSwipe called with the side to which the card was pulled far enough
 */
export function useSwipe(onSwipe: Partial<Record<Side, (() => void) | undefined>>) {
  const swipe = useRef<Swipe | null>(null);
  const wasMoved = useRef(false);
  const [side, setSide] = useState<Side | null>(null);

  const distanceOf = (event: PointerEvent<HTMLElement>, from: Swipe) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    return (event.clientX - from.x) * (isRtl ? -1 : 1);
  };
  const sideOf = (distance: number): Side => (distance > 0 ? 'end' : 'start');
  const release = (card: HTMLElement) => {
    card.style.translate = '';
    swipe.current = null;
    setSide(null);
  };

  return {
    /** The side to which the card is being pulled. */
    side,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        wasMoved.current = false;
        if (event.pointerType === 'touch' && event.isPrimary)
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
        const pulled = sideOf(distance);
        setSide(pulled);
        const far = onSwipe[pulled] === undefined ? 0 : Math.min(Math.abs(distance), FURTHEST);
        event.currentTarget.style.translate = `${String(Math.sign(event.clientX - current.x) * far)}px 0`;
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const { current } = swipe;
        if (current === null) return;
        const distance = distanceOf(event, current);
        release(event.currentTarget);
        if (current.isAlong === true && Math.abs(distance) >= ENOUGH) onSwipe[sideOf(distance)]?.();
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
