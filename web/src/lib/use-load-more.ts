import { useEffect, useRef } from 'react';

/** RTK Query drops fetchNextPage() during a refetch, so remember the call and run it afterwards. */
export function useLoadMore(isRefreshing: boolean, fetchMore: () => unknown): () => void {
  const isWanted = useRef(false);
  useEffect(() => {
    if (isRefreshing || !isWanted.current) return;
    isWanted.current = false;
    fetchMore();
  });
  return () => {
    if (isRefreshing) isWanted.current = true;
    else fetchMore();
  };
}
