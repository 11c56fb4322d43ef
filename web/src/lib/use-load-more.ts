import { useEffect, useRef } from 'react';

/**
 * Loads more of a list at once, or as soon as the list has been refreshed: a wish for more while it is asked for anew, as after every
 * change, would be dropped.
 */
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
