import { useSyncExternalStore } from 'react';

/** A value that a request sets and components show. Null while there is none. */
function createValue<T>() {
  let current: T | null = null;
  const listeners = new Set<() => void>();
  const subscribe = (tell: () => void) => {
    listeners.add(tell);
    return () => {
      listeners.delete(tell);
    };
  };
  const set = (value: T | null): void => {
    current = value;
    for (const tell of listeners) tell();
  };
  const use = (): T | null =>
    useSyncExternalStore(
      subscribe,
      () => current,
      () => null,
    );
  return [set, use] as const;
}

/** Progress of the proof of work that a request waits for, from 0 to 1. */
export const [setProofProgress, useProofProgress] = createValue<number>();

/** A picture or a recording on its way. */
export interface Upload {
  /** Part that left the device, from 0 to 1. */
  share: number;
  /** Stops it. The call fails with the code `cancelled`. */
  cancel: () => void;
}

export const [setUpload, useUpload] = createValue<Upload>();
