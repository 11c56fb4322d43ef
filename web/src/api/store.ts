import type { UnknownAction } from '@reduxjs/toolkit';
import type { OpenedStore } from './api.js';
import type { ApiAddress } from './call.js';
import { openStore } from './open-store.js';

export interface Store extends OpenedStore {
  address: ApiAddress;
}

/** Opens on first use, once its code has loaded: visitors write and send without it. */
export function createStore(address: ApiAddress): Store {
  let opened: OpenedStore | undefined;
  const listeners = new Set<() => void>();
  const open = () => {
    if (opened === undefined && openStore.current !== undefined) {
      opened = openStore.current(address) as OpenedStore;
      opened.subscribe(() => {
        for (const listener of [...listeners]) listener();
      });
    }
    return opened;
  };
  const store = {
    address,
    getState: () => open()?.getState(),
    dispatch: (action: UnknownAction) => open()?.dispatch(action),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
  return store as Store;
}
