import { useSyncExternalStore } from 'react';

let progress: number | null = null;
const listeners = new Set<() => void>();

export function setProofProgress(share: number | null): void {
  progress = share;
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void) {
  listeners.add(tell);
  return () => {
    listeners.delete(tell);
  };
}

/** @returns how far the proof of work is that a request waits for, from 0 to 1. Null if none does. */
export const useProofProgress = (): number | null =>
  useSyncExternalStore(
    subscribe,
    () => progress,
    () => null,
  );
