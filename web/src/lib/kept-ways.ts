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

/** Validates what is stored, which users of the device may have edited. */
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

/** Newest first. Stable until they change. */
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

/** @param way without `account`, that of the signed-in user */
export const keepWay = (way: NewWay & { account?: number | null }): void => {
  const kept = { account: accountHere(), ...way, usedOn: today() };
  store([kept, ...keptWays().filter(({ path }) => path !== way.path)].slice(0, MAX_KEPT));
};

/** Extends how long it is kept. */
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

/** Also forgets unused ones. */
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

/** Only the account's and visitors' own. Updates across tabs. @param account signed in, or null */
export function useKeptWays(account: number | null): readonly KeptWay[] {
  const ways = useSyncExternalStore(subscribe, keptWays, () => NONE);
  return useMemo(() => ways.filter((way) => way.account === null || way.account === account), [ways, account]);
}
