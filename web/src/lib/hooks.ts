import { useCallback, useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import { copyText } from './copy-text.js';
import { ACCOUNT_LEFT } from './signed-in.js';

export function useCopied(shownMs = 1500) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied, shownMs]);

  const copy = async (text: string): Promise<boolean> => {
    const done = await copyText(text);
    if (done) setCopied(true);
    return done;
  };

  return { copied, copy };
}

/** RTK Query drops fetchNextPage() during a refetch, so remember the call and run it afterwards. */
export function useLoadMore(isRefreshing: boolean, fetchMore: () => unknown): () => void {
  const isPending = useRef(false);
  useEffect(() => {
    if (isRefreshing || !isPending.current) return;
    isPending.current = false;
    fetchMore();
  });
  return () => {
    if (isRefreshing) isPending.current = true;
    else fetchMore();
  };
}

/** Updates when it changes. False on the server. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}

const neverChanges = () => () => undefined;

/** A value that the server cannot know. @param onServer rendered there and hydrated */
export const useOnDevice = <Value>(read: () => Value, onServer: Value): Value =>
  useSyncExternalStore(neverChanges, read, () => onServer);

const yes = () => true;

/** False until hydrated. */
export const useHydrated = (): boolean => useOnDevice(yes, false);

/** Counts ended sessions: the next account must not find the form's content. */
export function useDepartures(): number {
  const [count, add] = useReducer((before: number) => before + 1, 0);
  useEffect(() => {
    window.addEventListener(ACCOUNT_LEFT, add);
    return () => window.removeEventListener(ACCOUNT_LEFT, add);
  }, []);
  return count;
}
