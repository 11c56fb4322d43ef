import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { wasLeft } from '../../shared/use-scroll-restoration.js';
import type { useEntries } from './entries.js';

const TARGET = /^#sent-(\d+)$/;

export const isSentLink = (hash: string): boolean => TARGET.test(hash);

/** Pages to search for a linked message. */
const MAX_PAGES = 20;

/** Frames until a card is mounted after scrolling to it. */
const MAX_FRAMES = 60;

function focusSoon(card: string, frames = MAX_FRAMES): void {
  const found = document.querySelector<HTMLElement>(card);
  if (found === null) {
    if (frames > 0) requestAnimationFrame(() => focusSoon(card, frames - 1));
    return;
  }
  found.tabIndex = -1;
  found.focus({ preventScroll: true });
}

interface Options {
  list: ReturnType<typeof useEntries>;
  isShown: boolean;
  /** Scrolls to it: a far card is not mounted. */
  onFound: (id: number) => void;
  onShow: () => void;
}

/** Links of reply notifications: `/profile#sent-7`. */
export function useSentTarget({ list, isShown, onFound, onShow }: Options): void {
  const location = useLocation();
  const { hash, key } = location;
  const target = TARGET.exec(hash)?.[1];
  const { entries, hasMore, loadingMore, loadMore } = list;
  const isFound = isShown && entries.some(({ kind, message }) => kind === 'sent' && String(message.id) === target);
  const search = useRef({ isOver: true, pages: 0 });

  const begin = useEffectEvent(() => {
    if (target === undefined || wasLeft(location)) return;
    search.current = { isOver: false, pages: 0 };
    onShow();
  });
  useEffect(() => {
    begin();
  }, [key, target]);

  const look = useEffectEvent(() => {
    if (search.current.isOver || !isShown) return;
    if (isFound) {
      search.current.isOver = true;
      onFound(Number(target));
      focusSoon(`[data-message-id="${target ?? ''}"][data-state="sent"]`);
    } else if (hasMore && !loadingMore && search.current.pages < MAX_PAGES) {
      search.current.pages += 1;
      loadMore();
    }
  });
  useEffect(() => {
    look();
  }, [key, isShown, isFound, hasMore, loadingMore, entries.length]);
}

/** Leads to what has arrived, as notifications of messages do: `/profile#messages`. */
export function useArrivedTarget(onShow: () => void): void {
  const location = useLocation();
  const show = useEffectEvent(onShow);
  useEffect(() => {
    if (location.hash === '#messages' && !wasLeft(location)) show();
  }, [location]);
}
