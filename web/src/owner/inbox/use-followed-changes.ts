import { QueryStatus } from '@reduxjs/toolkit/query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useStore } from 'react-redux';
import { api } from '../../api/api.js';
import type { Store } from '../../api/store.js';
import { watchInput } from '../../lib/watch-input.js';
import { forgetArrived, forgetChanged, noteArrived, useLive } from '../../shared/live/index.js';
import { removeFromAside } from './api.js';
import { FILTERS } from './filters.js';
import { applyStates, cachedIds, findMissed, listApi } from './list-cache.js';
import type { Message } from '../../shared/message/index.js';
import type { Filter } from './types.js';

/** Idle time before lists change, in milliseconds: nothing moves under a finger. */
const STILL = 1000;

/** Maximum of one call. */
const BATCH = 100;

const NONE: readonly number[] = [];

const { getByIds, getNewest } = listApi.endpoints;

const ASK = { forceRefetch: true, subscribe: false } as const;

/** This tab's own changes are already shown. @param onChange called before lists change */
export function useFollowedChanges(filter: Filter, onChange: () => void): void {
  const live = useLive();
  const store = useStore() as Store;
  const { changed, arrived } = live ?? { changed: NONE, arrived: NONE };
  const isBehind = live?.isBehind === true;
  const gone = useRef(new Set<number>());

  const apply = useEffectEvent((ids: readonly number[], found: readonly Message[]) => {
    const { dispatch } = store;
    onChange();
    const result = applyStates(store, ids, found, FILTERS[filter].received);
    for (const { id } of found) if (gone.current.delete(id)) dispatch(noteArrived(id));
    for (const id of result.gone) gone.current.add(id);
    const states = new Set(found.map(({ id }) => id));
    dispatch(forgetArrived(ids.filter((id) => !states.has(id))));
    dispatch(forgetChanged(ids));
    dispatch(removeFromAside(ids));
    if (!result.isChanged) return;
    dispatch(api.util.invalidateTags(filter === 'read' ? ['Stats'] : ['Stats', { type: 'Message', id: 'READ' }]));
  });

  const offer = useEffectEvent((missed: readonly number[]) => {
    if (missed.length === 0) return;
    for (const id of missed) store.dispatch(noteArrived(id));
    store.dispatch(api.util.invalidateTags(['Stats']));
  });

  useEffect(() => {
    if (changed.length === 0 && !isBehind) return;
    const input = watchInput();
    const follow = async () => {
      while (await input.still(STILL)) {
        const ids = [...new Set([...changed, ...(isBehind ? cachedIds(store) : NONE)])];
        const before = store.getState().api.mutations;
        // An older answer would briefly revert a pending change of this tab.
        if (Object.values(before).some((mutation) => mutation?.status === QueryStatus.pending)) continue;
        const found: Message[] = [];
        for (let from = 0; from < ids.length; from += BATCH) {
          const some = getByIds.initiate(ids.slice(from, from + BATCH), ASK);
          found.push(...(await store.dispatch(some).unwrap()));
        }
        const newest = isBehind ? await store.dispatch(getNewest.initiate(undefined, ASK)).unwrap() : [];
        if (store.getState().api.mutations !== before || !input.isStill(STILL)) continue;
        offer(findMissed(store, newest));
        apply(ids, found);
        return;
      }
    };
    // The next event or visibility change retries.
    follow().catch(() => undefined);
    return input.stop;
  }, [changed, isBehind, store]);

  useEffect(() => {
    // A message in the inbox is no longer set aside.
    if (arrived.length > 0) store.dispatch(removeFromAside(arrived));
  }, [arrived, store]);
}
