import type { Store } from '@reduxjs/toolkit';
import type { ApiAddress } from './call.js';

export const openStore: { current?: (address: ApiAddress) => Store } = {};
