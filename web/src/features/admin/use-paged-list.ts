import { useLoadMore } from '../../lib/use-load-more.js';
import type { Page } from '../messages/index.js';
import type { CountedPage } from './types.js';

/** What an infinite query says of itself. */
interface PagedQuery<T> {
  currentData?: { pages: (Page<T> | CountedPage<T>)[] } | undefined;
  error?: unknown;
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

/** A list that grows by pages, as a pane shows it. */
export interface PagedList<T> {
  /** Undefined until the first page is here. */
  items: T[] | undefined;
  /** How many there are on all pages together; null where that is not known. */
  total: number | null;
  loading: boolean;
  /** Why there is no list, or why it does not go on. */
  error: unknown;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
  retry: () => void;
}

export function usePagedList<T>(query: PagedQuery<T>): PagedList<T> {
  const { currentData, error, hasNextPage, isFetchingNextPage } = query;
  const items = currentData?.pages.flatMap((page) => page.items);
  const newest = currentData?.pages[0];
  const loadMore = useLoadMore(query.isFetching, () => query.fetchNextPage());
  const told = newest !== undefined && 'total' in newest ? newest.total : null;
  return {
    items,
    total: told ?? (items === undefined || hasNextPage ? null : items.length),
    loading: currentData === undefined && error === undefined,
    error,
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    loadMore,
    retry: () => {
      query.refetch();
    },
  };
}
