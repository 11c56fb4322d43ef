import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** In order of preference. */
type FocusTargets = readonly (() => HTMLElement | null | undefined)[];

const firstButton = (card: Element | null | undefined) =>
  card?.isConnected === true ? card.querySelector<HTMLElement>('summary, button:enabled') : null;

function focusTargetsAround(element: Element | null, title: RefObject<HTMLElement | null>): FocusTargets {
  const own = element?.closest('article');
  // The reading pane's message stands for its row, if that is mounted.
  const isRead = own?.matches('[data-testid="reading"]') === true;
  const card = (isRead ? document.querySelector<HTMLElement>('article:has(> [aria-current])') : null) ?? own;
  if (card == null || !(element instanceof HTMLElement)) return [];
  const cards = [...(card.closest('section')?.querySelectorAll('article') ?? [])];
  const place = cards.indexOf(card);
  const neighbours = [cards[place + 1], cards[place - 1]];
  return [
    () => (element.isConnected ? element : null),
    () => firstButton(card),
    ...neighbours.map((neighbour) => () => firstButton(neighbour)),
    () => title.current,
  ];
}

const isFocusLost = ({ activeElement, body }: Document) =>
  activeElement === null || activeElement === body || activeElement.matches(':disabled');

/** A disabled or removed button passes the focus to the card's first button, the next card, or the title. */
export function useKeepFocus(waiting: boolean, title: RefObject<HTMLElement | null>) {
  const places = useRef<FocusTargets>([]);

  useLayoutEffect(() => {
    if (waiting) places.current = focusTargetsAround(document.activeElement, title);
  }, [waiting, title]);

  const restore = () => {
    if (!waiting && isFocusLost(document))
      places.current
        .find((place) => place() != null)?.()
        ?.focus({ preventScroll: true });
  };

  // The button may disappear after the answer: check every render until the next input.
  useLayoutEffect(restore);

  useEffect(() => {
    if (waiting) return;
    const forget = () => {
      places.current = [];
    };
    document.addEventListener('keydown', forget, true);
    document.addEventListener('pointerdown', forget, true);
    return () => {
      document.removeEventListener('keydown', forget, true);
      document.removeEventListener('pointerdown', forget, true);
    };
  }, [waiting]);

  return {
    restore,
    /** Call before the focused button may disappear otherwise. Dialogs keep where to return to. */
    hold: () => {
      const around = focusTargetsAround(document.activeElement, title);
      if (around.length > 0) places.current = around;
    },
  };
}
