import { useSyncExternalStore } from 'react';
import { type KeptWay, WAYS_KEY as KEY } from './add-way.js';

export type { KeptWay } from './add-way.js';

export const MAX_KEPT = 100;
const NONE: readonly KeptWay[] = [];

let read: { text: string | null; ways: readonly KeptWay[] } = { text: null, ways: NONE };
const listeners = new Set<() => void>();

const isKeptWay = (value: unknown): value is KeptWay => {
  if (typeof value !== 'object' || value === null) return false;
  const { path, messageId, username, sentAt } = value as Partial<Record<keyof KeptWay, unknown>>;
  return (
    typeof path === 'string' &&
    /^\/r\/[\w-]{22}$/.test(path) &&
    typeof messageId === 'number' &&
    typeof username === 'string' &&
    typeof sentAt === 'string'
  );
};

function parse(text: string): readonly KeptWay[] {
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.filter(isKeptWay) : NONE;
  } catch {
    return NONE;
  }
}

/** The ways that are kept, newest first. The same array until they change. */
export function keptWays(): readonly KeptWay[] {
  let text: string | null = null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    // A browser may refuse its storage. Then nothing is kept.
  }
  if (text !== read.text) read = { text, ways: text === null ? NONE : parse(text) };
  return read.ways;
}

/** False where the browser keeps nothing for sites. */
export function canKeepWays(): boolean {
  try {
    return typeof localStorage === 'object';
  } catch {
    return false;
  }
}

function store(ways: readonly KeptWay[]): void {
  try {
    if (ways.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(ways));
  } catch {
    // As above.
  }
  for (const notify of listeners) notify();
}

export const keepWay = (way: KeptWay): void => {
  store([way, ...keptWays().filter(({ path }) => path !== way.path)].slice(0, MAX_KEPT));
};

export const forgetWay = (path: string): void => {
  store(keptWays().filter((way) => way.path !== path));
};

export const forgetAllWays = (): void => {
  store(NONE);
};

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  window.addEventListener('storage', notify);
  return () => {
    listeners.delete(notify);
    window.removeEventListener('storage', notify);
  };
}

/** The ways that are kept, also when another tab changes them. */
export const useKeptWays = () => useSyncExternalStore(subscribe, keptWays, () => NONE);
