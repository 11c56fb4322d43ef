import type { Page } from '../messages/index.js';

/** What an infinite query says of itself. */
interface PagedQuery<T> {
  currentData?: { pages: Page<T>[] } | undefined;
  error?: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

/** A list that grows by pages, as a pane shows it. */
export interface PagedList<T> {
  /** Undefined until the first page is here. */
  items: T[] | undefined;
  loading: boolean;
  /** Why there is no list, or why it does not go on. */
  error: unknown;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
  retry: () => void;
}

export function toList<T>(query: PagedQuery<T>): PagedList<T> {
  const { currentData, error, hasNextPage, isFetchingNextPage } = query;
  return {
    items: currentData?.pages.flatMap(({ items }) => items),
    loading: currentData === undefined && error === undefined,
    error,
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    loadMore: () => {
      query.fetchNextPage();
    },
    retry: () => {
      query.refetch();
    },
  };
}
