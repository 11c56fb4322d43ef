import { skipToken } from '@reduxjs/toolkit/query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Page } from '../../app/paging.js';
import { useLoadMore } from '../../lib/hooks.js';
import type { Message } from '../message/index.js';
import { useLive } from '../notifications/index.js';
import { FILTERS } from './filters.js';
import { useGetReceivedInfiniteQuery, useGetSentInfiniteQuery } from './list-cache.js';
import type { Entry, Filter, SentMessage, Sort } from './types.js';

interface Timeline {
  entries: Entry[];
  /** The list to load next. Null at the end of both. */
  nextList: 'received' | 'sent' | null;
}

interface LoadedList<T> {
  items: T[];
  next: string | null;
}

function joinPages<T>(pages: readonly Page<T>[]): LoadedList<T> {
  return { items: pages.flatMap(({ items }) => items), next: pages.at(-1)?.next ?? null };
}

/** Ids are serial. The time of a received message is rounded to the minute. */
const byId = (order: 1 | -1) => (a: { id: number }, b: { id: number }) => order * (a.id - b.id);

/**
 * Merges received and sent messages without duplicates: a message to oneself is in both lists. The lists are paged
 * separately, so an entry is held back while an unloaded page may contain one before it.
 */
export function mergeTimeline(
  received: readonly Page<Message>[],
  sent: readonly Page<SentMessage>[],
  sort: Sort,
): Timeline {
  const inbox = joinPages(received);
  const outbox = joinPages(sent);
  const compare = byId(sort === 'newest' ? -1 : 1);

  const ownIds = new Set(inbox.items.map(({ id }) => id));
  const entries: Entry[] = [
    ...inbox.items.map((message) => ({ kind: 'received' as const, message })),
    ...outbox.items.filter(({ id }) => !ownIds.has(id)).map((message) => ({ kind: 'sent' as const, message })),
  ].sort((a, b) => compare(a.message, b.message));

  // The cursor is the id of the last message on the page, also if that message has been removed from the page since.
  const cursors = [
    { list: 'received' as const, next: inbox.next },
    { list: 'sent' as const, next: outbox.next },
  ].flatMap(({ list, next }) => (next === null ? [] : [{ list, id: Number(next) }]));

  const first = cursors.sort(compare)[0];
  if (first === undefined) return { entries, nextList: null };
  return { entries: entries.filter(({ message }) => compare(message, first) <= 0), nextList: first.list };
}

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
  const { received: readFilter, hasSent: wantsSent } = FILTERS[filter];
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
