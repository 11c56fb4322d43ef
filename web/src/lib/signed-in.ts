import { device } from './storage.js';

/** Window event: this page's account is signed out. */
export const ACCOUNT_LEFT = 'accountleft';

export const accountHere = (): number | null => Number(device.read('signed-in')) || null;
