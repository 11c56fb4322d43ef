import { useLoadMore } from '../../../lib/hooks.js';
import type { Page } from '../../../api/paging.js';
import type { CountedPage } from '../types.js';

interface PagedQuery<T> {
  currentData?: { pages: (Page<T> | CountedPage<T>)[] } | undefined;
  error?: unknown;
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

export interface PagedList<T> {
  /** Undefined until the first page has loaded. */
  items: T[] | undefined;
  /** Null if unknown. */
  total: number | null;
  loading: boolean;
  error: unknown;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
  retrying: boolean;
  retry: () => void;
}

export function usePagedList<T>(query: PagedQuery<T>): PagedList<T> {
  const { currentData, error, hasNextPage, isFetchingNextPage } = query;
  const items = currentData?.pages.flatMap((page) => page.items);
  const newest = currentData?.pages[0];
  const loadMore = useLoadMore(query.isFetching, () => query.fetchNextPage());
  const sentTotal = newest !== undefined && 'total' in newest ? newest.total : null;
  return {
    items,
    total: sentTotal ?? (items === undefined || hasNextPage ? null : items.length),
    loading: currentData === undefined && error === undefined,
    error,
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    loadMore,
    retrying: error !== undefined && query.isFetching,
    retry: () => query.refetch(),
  };
}
