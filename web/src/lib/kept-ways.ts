import { useMemo, useSyncExternalStore } from 'react';
import type { NewWayBack, SavedWayBack } from './add-way.js';
import { isExpired } from './kept-for.js';
import { accountHere } from './signed-in.js';
import { device } from './storage.js';

export type { SavedWayBack } from './add-way.js';

export const MAX_KEPT = 100;
const NONE: readonly SavedWayBack[] = [];

let read: { text: string | null; ways: readonly SavedWayBack[] } = { text: null, ways: NONE };
const listeners = new Set<() => void>();

const today = (): string => new Date().toISOString().slice(0, 10);

/** Validates what is stored, which users of the device may have edited. */
function parseWayBack(value: unknown): SavedWayBack[] {
  if (typeof value !== 'object' || value === null) return [];
  const {
    path,
    messageId = 0,
    username,
    sentAt,
    account,
    usedOn,
  } = value as Partial<Record<keyof SavedWayBack, unknown>>;
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

function parse(text: string): readonly SavedWayBack[] {
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.flatMap(parseWayBack).filter(({ usedOn }) => !isExpired(usedOn)) : NONE;
  } catch {
    return NONE;
  }
}

/** Newest first. Stable until they change. */
export function savedWaysBack(): readonly SavedWayBack[] {
  const text = device.read('ways-back');
  if (text !== read.text) read = { text, ways: text === null ? NONE : parse(text) };
  return read.ways;
}

export const canSaveWaysBack = device.isOpen;

function store(ways: readonly SavedWayBack[]): void {
  device.write('ways-back', ways.length === 0 ? null : JSON.stringify(ways));
  for (const notify of listeners) notify();
}

/** @param way without `account`, that of the signed-in user */
export const saveWayBack = (way: NewWayBack & { account?: number | null }): void => {
  const kept = { account: accountHere(), ...way, usedOn: today() };
  store([kept, ...savedWaysBack().filter(({ path }) => path !== way.path)].slice(0, MAX_KEPT));
};

/** Extends how long it is kept. */
export function noteUse(path: string): void {
  const day = today();
  if (savedWaysBack().some((way) => way.path === path && way.usedOn !== day))
    store(savedWaysBack().map((way) => (way.path === path ? { ...way, usedOn: day } : way)));
}

export const forgetWayBack = (path: string): void => {
  store(savedWaysBack().filter((way) => way.path !== path));
};

export const forgetAllWaysBack = (): void => {
  store(NONE);
};

/** Also forgets unused ones. */
export const forgetWaysBackOfOthers = (account: number | null): void => {
  store(savedWaysBack().filter((way) => way.account === null || way.account === account));
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
export function useSavedWaysBack(account: number | null): readonly SavedWayBack[] {
  const ways = useSyncExternalStore(subscribe, savedWaysBack, () => NONE);
  return useMemo(() => ways.filter((way) => way.account === null || way.account === account), [ways, account]);
}
