import { useSyncExternalStore } from 'react';
import { device, tab } from './storage.js';
import { createKey } from './submission-key.js';

/*
 * Recovery codes reset a password, which a session cannot: they stay in the tab that made them. The device only notes
 * that an account has not saved its codes, so that a later visit leads to new ones.
 */

const CHANGED = 'unsavedcodes';

/** The newest set of each account. A tab with another one has codes that no longer work. */
type Sets = Record<string, string>;

const readSets = (): Sets => (device.readJson('unsaved-codes') ?? {}) as Sets;

function writeSet(account: number, set: string | null): void {
  const { [account]: _former, ...others } = readSets();
  const sets = set === null ? others : { ...others, [account]: set };
  device.write('unsaved-codes', Object.keys(sets).length === 0 ? null : JSON.stringify(sets));
  window.dispatchEvent(new Event(CHANGED));
}

interface Kept {
  account: number;
  set: string;
  codes: string[];
}

const readKept = () => tab.readJson('recovery-codes') as Kept | null;

/** @param codes null if none could be made */
export function keepUnsaved(account: number, codes: readonly string[] | null): void {
  const set = createKey();
  tab.write('recovery-codes', codes === null ? null : JSON.stringify({ account, set, codes }));
  writeSet(account, set);
}

export function noteSaved(account: number): void {
  forgetCodes();
  writeSet(account, null);
}

export const forgetCodes = (): void => {
  tab.write('recovery-codes', null);
};

export const forgetCodesOfOthers = (account: number | null): void => {
  if (readKept()?.account !== account) forgetCodes();
};

export function readCodes(account: number): readonly string[] | null {
  const kept = readKept();
  return kept?.account === account && kept.set === readSets()[account] ? kept.codes : null;
}

function subscribe(notify: () => void): () => void {
  window.addEventListener(CHANGED, notify);
  window.addEventListener('storage', notify);
  return () => {
    window.removeEventListener(CHANGED, notify);
    window.removeEventListener('storage', notify);
  };
}

/** `gone` with the tab that made them. */
export const useUnsavedCodes = (account: number): 'none' | 'here' | 'gone' =>
  useSyncExternalStore(
    subscribe,
    () => (readSets()[account] === undefined ? 'none' : readCodes(account) === null ? 'gone' : 'here'),
    () => 'none',
  );
