import { skipToken } from '@reduxjs/toolkit/query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { useLoadMore } from '../../lib/hooks.js';
import { useLive } from '../notifications/index.js';
import { useGetReceivedInfiniteQuery, useGetSentInfiniteQuery } from './api.js';
import { mergeTimeline } from './merge-timeline.js';
import type { Filter, ReadFilter, Sort } from './types.js';

const READ_FILTERS: Record<Filter, ReadFilter | null> = {
  all: 'all',
  received: 'all',
  unread: 'unread',
  read: 'read',
  sent: null,
};

/** While events say what changes. Otherwise each look at the tab would read every page again, and move what one reads. */
const FOLLOWED = { refetchOnFocus: false, refetchOnReconnect: false, refetchOnMountOrArgChange: false } as const;

const NO_PAGES: readonly [] = [];
const NOTHING = { entries: [], nextList: null };

/**
 * The dashboard's list for a filter and an order, page by page.
 * @param q words that all of them have. Empty for all messages
 * @param start the time at which it begins
 */
export function useEntries({ filter, ...list }: { filter: Filter; sort: Sort; q: string; start: string | undefined }) {
  const readFilter = READ_FILTERS[filter];
  const wantsSent = filter === 'all' || filter === 'sent';
  const options = useLive()?.isLost === true ? undefined : FOLLOWED;
  const received = useGetReceivedInfiniteQuery(
    readFilter === null ? skipToken : { filter: readFilter, ...list },
    options,
  );
  const sent = useGetSentInfiniteQuery(wantsSent ? list : skipToken, options);

  const receivedPages = (readFilter === null ? undefined : received.currentData?.pages) ?? NO_PAGES;
  const sentPages = (wantsSent ? sent.currentData?.pages : undefined) ?? NO_PAGES;
  const missing =
    (readFilter !== null && received.currentData === undefined) || (wantsSent && sent.currentData === undefined);
  const error: unknown =
    (readFilter !== null && received.currentData === undefined ? received.error : undefined) ??
    (wantsSent && sent.currentData === undefined ? sent.error : undefined);

  // Wait for both lists: entries would move when the second one arrives.
  const { entries, nextList } = useMemo(
    () => (missing ? NOTHING : mergeTimeline(receivedPages, sentPages, list.sort)),
    [missing, receivedPages, sentPages, list.sort],
  );

  const loadMore = useLoadMore(received.isFetching || sent.isFetching, () => {
    if (nextList === 'received') void received.fetchNextPage();
    if (nextList === 'sent') void sent.fetchNextPage();
  });

  // Marking every loaded message as read empties the unread list although there are further pages.
  const isEmptied = !missing && entries.length === 0 && nextList !== null;
  const moreError =
    (received.isFetchNextPageError ? received.error : undefined) ??
    (sent.isFetchNextPageError ? sent.error : undefined);
  const refill = useEffectEvent(loadMore);
  useEffect(() => {
    if (isEmptied && moreError === undefined) refill();
  }, [isEmptied, moreError]);

  return {
    entries,
    loading: (missing && error === undefined) || (isEmptied && moreError === undefined),
    error: missing ? error : undefined,
    retrying: missing && (received.isFetching || sent.isFetching),
    retry: () => {
      if (received.isError) void received.refetch();
      if (sent.isError) void sent.refetch();
    },
    /** Reads the beginning of the list alone, which has what arrived meanwhile. */
    restart: () => {
      if (readFilter !== null) void received.refetch({ refetchCachedPages: false });
    },
    hasMore: nextList !== null,
    moreError,
    loadingMore: received.isFetchingNextPage || sent.isFetchingNextPage,
    loadMore,
  };
}
