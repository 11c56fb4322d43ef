import { type RefObject, useEffect, useState } from 'react';
import { useStore } from 'react-redux';
import { useLocation } from 'react-router-dom';
import type { ListState } from './EntryList.js';
import type { Filter, Sort } from './types.js';

interface Place {
  filter: Filter;
  sort: Sort;
  query: string;
  month: string | null;
  opened: ReadonlySet<number>;
  list: ListState | undefined;
}

/** By store, account and visit, while the page is open. */
const PLACES = new WeakMap<object, Map<string, Place>>();

function usePlaces(account: number) {
  const store = useStore();
  const { key } = useLocation();
  const places = PLACES.get(store) ?? new Map<string, Place>();
  PLACES.set(store, places);
  return { places, visit: `${String(account)} ${key}` };
}

export function useFormerPlace(account: number): Place | undefined {
  const { places, visit } = usePlaces(account);
  const [place] = useState(() => places.get(visit));
  return place;
}

/** Stores the place for Back navigation. */
export function useKeepPlace(
  account: number,
  { filter, sort, query, month, opened }: Omit<Place, 'list'>,
  list: RefObject<ListState | undefined>,
): void {
  const { places, visit } = usePlaces(account);
  useEffect(
    () => () => {
      places.set(visit, { filter, sort, query, month, opened, list: list.current });
    },
    [places, visit, filter, sort, query, month, opened, list],
  );
}
