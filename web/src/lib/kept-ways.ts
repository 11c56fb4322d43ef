import { useMemo, useSyncExternalStore } from 'react';
import type { KeptWay, NewWay } from './add-way.js';
import { isOver } from './kept-for.js';
import { accountHere } from './signed-in.js';
import { device } from './storage.js';

export type { KeptWay } from './add-way.js';

export const MAX_KEPT = 100;
const NONE: readonly KeptWay[] = [];

let read: { text: string | null; ways: readonly KeptWay[] } = { text: null, ways: NONE };
const listeners = new Set<() => void>();

const today = (): string => new Date().toISOString().slice(0, 10);

/** The way in what is stored, which anybody at the device may have changed. */
function toWay(value: unknown): KeptWay[] {
  if (typeof value !== 'object' || value === null) return [];
  const { path, messageId, username, sentAt, account, usedOn } = value as Partial<Record<keyof KeptWay, unknown>>;
  if (
    typeof path !== 'string' ||
    !/^\/r\/[\w-]{22}$/.test(path) ||
    typeof messageId !== 'number' ||
    typeof username !== 'string' ||
    typeof sentAt !== 'string' ||
    !(account === null || typeof account === 'number') ||
    typeof usedOn !== 'string'
  )
    return [];
  return [{ path, messageId, username, sentAt, account, usedOn }];
}

function parse(text: string): readonly KeptWay[] {
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.flatMap(toWay).filter(({ usedOn }) => !isOver(usedOn)) : NONE;
  } catch {
    return NONE;
  }
}

/** All ways that are kept, newest first. The same array until they change. */
export function keptWays(): readonly KeptWay[] {
  const text = device.read('ways-back');
  if (text !== read.text) read = { text, ways: text === null ? NONE : parse(text) };
  return read.ways;
}

export const canKeepWays = device.isOpen;

function store(ways: readonly KeptWay[]): void {
  device.write('ways-back', ways.length === 0 ? null : JSON.stringify(ways));
  for (const notify of listeners) notify();
}

/** @param way without its account, it is that of whoever is signed in here */
export const keepWay = (way: NewWay & { account?: number | null }): void => {
  const kept = { account: accountHere(), ...way, usedOn: today() };
  store([kept, ...keptWays().filter(({ path }) => path !== way.path)].slice(0, MAX_KEPT));
};

/** Notes that a way is in use, so that it stays. */
export function noteUse(path: string): void {
  const day = today();
  if (keptWays().some((way) => way.path === path && way.usedOn !== day))
    store(keptWays().map((way) => (way.path === path ? { ...way, usedOn: day } : way)));
}

export const forgetWay = (path: string): void => {
  store(keptWays().filter((way) => way.path !== path));
};

export const forgetAllWays = (): void => {
  store(NONE);
};

/** Forgets the ways of all accounts but one, and those that nobody has used for long. */
export const forgetWaysOfOthers = (account: number | null): void => {
  store(keptWays().filter((way) => way.account === null || way.account === account));
};

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  window.addEventListener('storage', notify);
  return () => {
    listeners.delete(notify);
    window.removeEventListener('storage', notify);
  };
}

/**
 * The ways that are kept and that nobody else's account made, also when another tab changes them.
 * @param account that is signed in, or null
 */
export function useKeptWays(account: number | null): readonly KeptWay[] {
  const ways = useSyncExternalStore(subscribe, keptWays, () => NONE);
  return useMemo(() => ways.filter((way) => way.account === null || way.account === account), [ways, account]);
}
