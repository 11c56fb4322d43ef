import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
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

/**
 * Leads to a sent message, as notifications of replies do: `/profile#sent-7`.
 * @returns the message, once it is in the list and until somebody has been led there
 */
export function useSentTarget({ list, isShown, onShow }: Options): { ledTo: number | undefined; onLed: () => void } {
  const { hash, key } = useLocation();
  const target = TARGET.exec(hash)?.[1];
  const { entries, hasMore, loadingMore, loadMore } = list;
  const isFound = entries.some(({ kind, message }) => kind === 'sent' && String(message.id) === target);
  const [ledBy, setLedBy] = useState<string>();
  const isLooking = target !== undefined && isShown && ledBy !== key;
  const pages = useRef(0);

  const begin = useEffectEvent(onShow);
  useEffect(() => {
    if (target === undefined) return;
    pages.current = 0;
    begin();
  }, [key, target]);

  const look = useEffectEvent(() => {
    if (!isLooking || isFound || !hasMore || loadingMore || pages.current >= MAX_PAGES) return;
    pages.current += 1;
    loadMore();
  });
  useEffect(() => {
    look();
  }, [key, isLooking, isFound, hasMore, loadingMore, entries.length]);

  const onLed = useCallback(() => {
    setLedBy(key);
  }, [key]);
  return { ledTo: isLooking && isFound ? Number(target) : undefined, onLed };
}
