import { useEffect, useMemo, useRef, useState } from 'react';
import { searchedWords } from '@najwa/proto/words';
import { useStore } from 'react-redux';
import { useLocation } from 'react-router-dom';
import type { ListState } from './EntryList.js';
import { startOfMonth } from './ListTools.js';
import type { Filter, Sort } from './types.js';
import { isSentLink } from './use-sent-target.js';

interface View {
  filter: Filter;
  sort: Sort;
  query: string;
  month: string | null;
  opened: ReadonlySet<number>;
}

/** By store, account and visit, while the page is open. */
const PLACES = new WeakMap<object, Map<string, View & { list: ListState | undefined }>>();

function placesOf(store: object) {
  const places = PLACES.get(store) ?? new Map<string, View & { list: ListState | undefined }>();
  PLACES.set(store, places);
  return places;
}

const FIRST: View = { filter: 'all', sort: 'newest', query: '', month: null, opened: new Set() };

/** Which messages are listed, and how. Kept for Back navigation. */
export function usePlace(account: number) {
  const places = placesOf(useStore());
  const { key, hash } = useLocation();
  const visit = `${String(account)} ${key}`;
  const [{ list: former, ...kept }] = useState(() => places.get(visit) ?? { ...FIRST, list: undefined });
  const list = useRef(former);
  // A reply's link opens sent messages only: fetching received ones shows the user as online.
  const [view, setView] = useState<View>(isSentLink(hash) ? { ...kept, filter: 'sent' } : kept);
  const [isAside, setIsAside] = useState(false);
  useEffect(
    () => () => {
      places.set(visit, { ...view, list: list.current });
    },
    [places, visit, view, list],
  );

  const { filter, sort, query, month, opened } = view;
  const isSearching = query !== '';
  const change = (part: Partial<View>) => setView((before) => ({ ...before, ...part }));
  return {
    ...view,
    former,
    isAside,
    isSearching,
    searched: useMemo(() => searchedWords(query), [query]),
    /** Searches look at all messages. */
    listed: isSearching ? ('all' as const) : filter,
    start: month === null || isSearching ? undefined : startOfMonth(month, sort),
    change,
    setIsAside,
    /** The list from its beginning. */
    show: (next: Filter) => {
      change({ filter: next, query: '', month: null });
      setIsAside(false);
    },
    toggle: (id: number, isOpen: boolean) => {
      const next = new Set(opened);
      if (isOpen) next.add(id);
      else next.delete(id);
      change({ opened: next });
    },
    leave: (state: ListState) => {
      list.current = state;
    },
  };
}

export type InboxPlace = ReturnType<typeof usePlace>;
