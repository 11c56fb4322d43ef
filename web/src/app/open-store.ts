import type { Store } from '@reduxjs/toolkit';
import type { ApiAddress } from './call.js';

/** Set by its code once loaded (api.ts). */
export const openStore: { current?: (address: ApiAddress) => Store } = {};
