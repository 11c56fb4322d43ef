import { skipToken } from '@reduxjs/toolkit/query';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { othersOf, type useEntries } from './entries.js';
import type { ListHandle } from './EntryList.js';
import { useGetByIdsQuery } from './list-cache.js';
import type { Entry } from './types.js';

const PARAMETER = 'message';

function idIn(search: string): number | null {
  const id = Number(new URLSearchParams(search).get(PARAMETER));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** The open message, as the address names it: `/profile?message=7`. */
export function useOpenMessage() {
  const { key, search } = useLocation();
  const [chosen, setChosen] = useState<{ key: string; id: number | null } | null>(null);
  return {
    id: chosen?.key === key ? chosen.id : idIn(search),
    choose: (id: number | null) => {
      setChosen({ key, id });
      const url = new URL(window.location.href);
      if (id === null) url.searchParams.delete(PARAMETER);
      else url.searchParams.set(PARAMETER, String(id));
      // Not by the router: its navigations are visits, each with a place of its own in the list.
      window.history.replaceState(window.history.state, '', url);
    },
  };
}

type List = ReturnType<typeof useEntries>;

/** Of the list, or else read by its id. */
export function useReadEntry(id: number | null, { entries, loading, error }: List, isDesk: boolean): Entry | undefined {
  const listed = entries.find((entry) => [entry.message, ...othersOf(entry)].some((each) => each.id === id));
  const isAsked = isDesk && id !== null && listed === undefined && !loading && error === undefined;
  const { currentData, isError } = useGetByIdsQuery(isAsked ? [id] : skipToken);
  // A message that leaves the list, as by being read among unread ones, stays while it is asked for.
  const [last, setLast] = useState<Entry>();
  if (listed !== undefined && listed !== last) setLast(listed);
  const [message] = currentData ?? [];
  if (listed !== undefined) return listed;
  if (message !== undefined) return { kind: 'received', message };
  return currentData === undefined && !isError && last?.message.id === id ? last : undefined;
}

/** Keys, also where an Arabic keyboard has j and k. */
const STEPS: Partial<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ت: 1, ArrowUp: -1, k: -1, ن: -1 };

const OWN_KEYS = 'input, textarea, select, [contenteditable], [role="slider"], [role="radio"]';
const LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"]';

const rowOf = (id: number) => document.querySelector<HTMLElement>(`[data-message-id="${String(id)}"] > button`);

interface Options {
  isActive: boolean;
  openId: number | null;
  list: List;
  rows: RefObject<ListHandle | null>;
  onChoose: (id: number | null) => void;
  /** Its row is in no list. */
  onRowGone: () => void;
}

/** On a desk the keyboard goes from row to row, to the reply, and back. */
export function useReadingKeys({ isActive, openId, list, rows, onChoose, onRowGone }: Options): void {
  const focusRow = (id: number) => {
    const row = rowOf(id);
    row?.focus({ preventScroll: true });
    row?.parentElement?.scrollIntoView({ block: 'nearest' });
    return row !== null;
  };
  const open = (id: number) => {
    flushSync(() => onChoose(id));
  };

  const move = (step: 1 | -1) => {
    const { entries, hasMore, loadingMore, loadMore } = list;
    const from = entries.findIndex(({ message }) => message.id === openId);
    const first = rows.current?.first();
    const next =
      from === -1 ? (entries.find(({ message }) => message.id === first) ?? entries[0]) : entries[from + step];
    if (next !== undefined) {
      open(next.message.id);
      if (!focusRow(next.message.id)) rows.current?.reveal(next.message.id);
    } else if (step === 1 && hasMore && !loadingMore) loadMore();
  };

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(target instanceof HTMLElement) || document.querySelector(LAYERS) !== null) return;
    // Letters would otherwise act on what speech input hears.
    const step = key.length > 1 || target.closest('#messages') ? STEPS[key] : undefined;
    const row = target.closest('[data-message-id]');
    if (key === 'Escape' && openId !== null) {
      const isWriting = target.matches('textarea');
      if (!isWriting && target.matches(OWN_KEYS)) return;
      if (!isWriting) onChoose(null);
      if (!focusRow(openId)) onRowGone();
    } else if (target.matches(OWN_KEYS)) return;
    else if (step !== undefined) {
      event.preventDefault();
      move(step);
    } else if (key === 'Enter' && row !== null && target.parentElement === row) {
      event.preventDefault();
      open(Number((row as HTMLElement).dataset['messageId']));
      document.querySelector<HTMLElement>('[data-testid="reading"] textarea')?.focus();
    }
  });
  useEffect(() => {
    if (!isActive) return;
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isActive]);
}
