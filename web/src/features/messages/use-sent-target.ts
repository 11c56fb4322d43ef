import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import type { useEntries } from './use-entries.js';

const TARGET = /^#sent-(\d+)$/;

export const isSentLink = (hash: string): boolean => TARGET.test(hash);

/** Pages that are read for a message that a link leads to. */
const MAX_PAGES = 20;

interface Options {
  list: ReturnType<typeof useEntries>;
  /** The list is that of sent messages. */
  isShown: boolean;
  onShow: () => void;
}

/** Leads to a sent message, as notifications of replies do: `/profile#sent-7`. */
export function useSentTarget({ list, isShown, onShow }: Options): void {
  const { hash, key } = useLocation();
  const target = TARGET.exec(hash)?.[1];
  const { entries, hasMore, loadingMore, loadMore } = list;
  const isFound = isShown && entries.some(({ kind, message }) => kind === 'sent' && String(message.id) === target);
  const search = useRef({ isOver: true, pages: 0 });

  const begin = useEffectEvent(onShow);
  useEffect(() => {
    if (target === undefined) return;
    search.current = { isOver: false, pages: 0 };
    begin();
  }, [key, target]);

  const look = useEffectEvent(() => {
    if (search.current.isOver || !isShown) return;
    if (isFound) {
      search.current.isOver = true;
      const card = document.querySelector<HTMLElement>(`[data-message-id="${target ?? ''}"][data-state="sent"]`);
      if (card === null) return;
      card.tabIndex = -1;
      card.scrollIntoView({ block: 'center' });
      card.focus({ preventScroll: true });
    } else if (hasMore && !loadingMore && search.current.pages < MAX_PAGES) {
      search.current.pages += 1;
      loadMore();
    }
  });
  useEffect(() => {
    look();
  }, [key, isShown, isFound, hasMore, loadingMore, entries.length]);
}
