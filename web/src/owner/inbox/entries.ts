import { skipToken } from '@reduxjs/toolkit/query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { useLoadMore } from '../../lib/hooks.js';
import type { Message } from '../../shared/message/index.js';
import { NO_REFETCH, useLive } from '../../shared/live/index.js';
import { FILTERS } from './filters.js';
import { type ListPage, useGetReceivedInfiniteQuery, useGetSentInfiniteQuery } from './list-cache.js';
import type { Entry, Filter, SentMessage, Sort } from './types.js';

type ListName = 'received' | 'sent';

interface Timeline {
  entries: Entry[];
  nextList: ListName | null;
  /** Lists that have pages before the start. */
  previousLists: ListName[];
}

const NAMES = ['received', 'sent'] as const;

interface LoadedList<T> {
  items: T[];
  next: string | null;
  /** Cursor of the page before. Undefined until one was loaded. */
  previous: string | null | undefined;
}

function joinPages<T>(pages: readonly ListPage<T>[]): LoadedList<T> {
  const [first] = pages;
  return {
    items: pages.flatMap(({ items }) => items),
    next: pages.at(-1)?.next ?? null,
    previous: first?.isBefore === true ? first.next : undefined,
  };
}

/** Ids are serial. Times are rounded to the minute. */
const byId = (order: 1 | -1) => (a: { id: number }, b: { id: number }) => order * (a.id - b.id);

/** Stable entries: unchanged messages are not rendered again. */
const ENTRIES = new WeakMap<Message, Entry>();

function entryOf(entry: Entry): Entry {
  const known = ENTRIES.get(entry.message);
  if (known?.kind === entry.kind) return known;
  ENTRIES.set(entry.message, entry);
  return entry;
}

/** Null for a single message, and for a sent one. */
const conversationOf = ({ kind, message }: Entry) => (kind === 'received' ? (message.conversationId ?? null) : null);

/** Of the conversation that a row stands for. */
export const othersOf = (entry: Entry): readonly Message[] => (entry.kind === 'received' ? (entry.others ?? []) : []);

export const freshOf = (entry: Entry): number =>
  [entry.message, ...othersOf(entry)].filter(({ isRead }) => !isRead).length;

/** Stable, as entries are. */
const ROWS = new WeakMap<Entry, Entry>();

function rowOf(entry: Entry, others: readonly Message[]): Entry {
  const known = ROWS.get(entry);
  const former = known && othersOf(known);
  if (known && former?.length === others.length && former.every((message, place) => message === others[place]))
    return known;
  const row = { ...entry, others } as Entry;
  ROWS.set(entry, row);
  return row;
}

/** A conversation has one row: where the first of its messages is, in the order of the list. */
export function foldConversations(entries: readonly Entry[]): Entry[] {
  const rows = new Map<number | null, Message[]>();
  const shown = entries.filter((entry) => {
    const id = conversationOf(entry);
    if (id === null) return true;
    const others = rows.get(id);
    if (others === undefined) rows.set(id, []);
    else others.push(entry.message);
    return others === undefined;
  });
  return shown.map((entry) => {
    const others = rows.get(conversationOf(entry));
    return others === undefined ? entry : rowOf(entry, others);
  });
}

/**
 * A message to oneself is in both lists. An entry is held back while an unloaded page may precede it.
 * @param hasStart whether the lists begin in their middle
 */
export function mergeTimeline(
  received: readonly ListPage<Message>[],
  sent: readonly ListPage<SentMessage>[],
  sort: Sort,
  hasStart: boolean,
): Timeline {
  const lists = { received: joinPages(received), sent: joinPages(sent) };
  const compare = byId(sort === 'newest' ? -1 : 1);

  const ownIds = new Set(lists.received.items.map(({ id }) => id));
  const entries = [
    ...lists.received.items.map((message) => entryOf({ kind: 'received', message })),
    ...lists.sent.items.filter(({ id }) => !ownIds.has(id)).map((message) => entryOf({ kind: 'sent', message })),
  ].sort((a, b) => compare(a.message, b.message));

  // The cursor is the last message's id, even if that was removed since.
  const after = NAMES.flatMap((list) => {
    const { next } = lists[list];
    return next === null ? [] : [{ list, id: Number(next) }];
  }).sort(compare)[0];

  // Both lists start at the same time, so their first pages have known positions.
  const starts = [received, sent].flatMap((pages) => pages.find(({ isBefore }) => !isBefore)?.items[0] ?? []);
  const start = starts.sort(compare)[0]?.id ?? (sort === 'newest' ? 0 : Infinity);
  const loaded = { received: received.length > 0, sent: sent.length > 0 };
  const ends = NAMES.flatMap((list) => {
    const { previous = String(start) } = lists[list];
    return !hasStart || previous === null || !loaded[list] ? [] : [{ list, id: Number(previous) }];
  });
  const before = [...ends].sort(compare).at(-1);

  return {
    entries: entries.filter(
      ({ message }) =>
        (after === undefined || compare(message, after) <= 0) &&
        (before === undefined || compare(message, before) >= 0),
    ),
    nextList: after?.list ?? null,
    previousLists: ends.filter(({ id }) => id === before?.id).map(({ list }) => list),
  };
}

const NO_PAGES: readonly [] = [];
const NOTHING: Timeline = { entries: [], nextList: null, previousLists: [] };

/**
 * @param q words that a message must contain. Empty for all messages
 * @param start time to begin at
 */
export function useEntries({ filter, ...list }: { filter: Filter; sort: Sort; q: string; start: string | undefined }) {
  const { received: readFilter, hasSent: wantsSent } = FILTERS[filter];
  const options = useLive()?.isLost === true ? undefined : NO_REFETCH;
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
  const hasStart = list.start !== undefined;
  const { entries, nextList, previousLists } = useMemo(
    () => (missing ? NOTHING : mergeTimeline(receivedPages, sentPages, list.sort, hasStart)),
    [missing, receivedPages, sentPages, list.sort, hasStart],
  );
  // A search finds each message by itself.
  const isSearch = list.q !== '';
  const rows = useMemo(() => (isSearch ? entries : foldConversations(entries)), [entries, isSearch]);

  const loadMore = useLoadMore(received.isFetching || sent.isFetching, () => {
    if (nextList === 'received') void received.fetchNextPage();
    if (nextList === 'sent') void sent.fetchNextPage();
  });

  const loadPrevious = useLoadMore(received.isFetching || sent.isFetching, () => {
    if (previousLists.includes('received')) void received.fetchPreviousPage();
    if (previousLists.includes('sent')) void sent.fetchPreviousPage();
  });

  const pages = receivedPages.length + sentPages.length;

  // Marking every loaded message as read empties the unread list although there are more pages.
  const isEmptied = !missing && entries.length === 0 && nextList !== null;
  const moreError =
    (received.isFetchNextPageError ? received.error : undefined) ??
    (sent.isFetchNextPageError ? sent.error : undefined);
  const refill = useEffectEvent(loadMore);
  useEffect(() => {
    if (isEmptied && moreError === undefined) refill();
  }, [isEmptied, moreError, pages]);

  return {
    entries: rows,
    pages,
    loading: (missing && error === undefined) || (isEmptied && moreError === undefined),
    error: missing ? error : undefined,
    retrying: missing && (received.isFetching || sent.isFetching),
    retry: () => {
      if (received.isError) void received.refetch();
      if (sent.isError) void sent.refetch();
    },
    /** Refetches only the first page. */
    restart: () => {
      if (readFilter !== null) void received.refetch({ refetchCachedPages: false });
    },
    hasMore: nextList !== null,
    moreError,
    loadingMore: received.isFetchingNextPage || sent.isFetchingNextPage,
    loadMore,
    hasPrevious: previousLists.length > 0,
    previousError:
      (received.isFetchPreviousPageError ? received.error : undefined) ??
      (sent.isFetchPreviousPageError ? sent.error : undefined),
    loadingPrevious: received.isFetchingPreviousPage || sent.isFetchingPreviousPage,
    loadPrevious,
  };
}
