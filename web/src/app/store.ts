import type { UnknownAction } from '@reduxjs/toolkit';
import type { OpenedStore } from './api.js';
import type { ApiAddress } from './call.js';
import { openStore } from './open-store.js';

/** The store of the app, as its parts see it. */
export interface Store extends OpenedStore {
  address: ApiAddress;
}

/**
 * A store that opens when its own code is there and somebody asks it something. A visitor writes and sends without it. Parts that read
 * the store import its code, so they never find it closed.
 */
export function createStore(address: ApiAddress): Store {
  let opened: OpenedStore | undefined;
  const listeners = new Set<() => void>();
  const open = () => {
    if (opened === undefined && openStore.current !== undefined) {
      opened = openStore.current(address) as OpenedStore;
      opened.subscribe(() => {
        for (const tell of [...listeners]) tell();
      });
    }
    return opened;
  };
  const store = {
    address,
    getState: () => open()?.getState(),
    dispatch: (action: UnknownAction) => open()?.dispatch(action),
    subscribe: (tell: () => void) => {
      listeners.add(tell);
      return () => {
        listeners.delete(tell);
      };
    },
  };
  return store as Store;
}
