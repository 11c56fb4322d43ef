import { useSyncExternalStore } from 'react';

function createValue<T>() {
  let current: T | null = null;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const set = (value: T | null): void => {
    current = value;
    for (const listener of listeners) listener();
  };
  const use = (): T | null =>
    useSyncExternalStore(
      subscribe,
      () => current,
      () => null,
    );
  return [set, use] as const;
}

/** Of the proof of work that a request waits for, from 0 to 1. */
export const [setProofProgress, useProofProgress] = createValue<number>();

export interface Upload {
  /** Sent share, from 0 to 1. */
  share: number;
  /** The call then fails with `cancelled`. */
  cancel: () => void;
}

export const [setUpload, useUpload] = createValue<Upload>();
