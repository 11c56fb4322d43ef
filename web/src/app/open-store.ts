import type { Store } from '@reduxjs/toolkit';
import type { ApiAddress } from './call.js';

/** Opens a store. Set by its code, once that is there (api.ts). */
export const openStore: { current?: (address: ApiAddress) => Store } = {};
