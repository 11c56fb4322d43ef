import { device } from './storage.js';

/** Window event: this page's account is signed out. */
export const ACCOUNT_LEFT = 'accountleft';

/** As far as this browser's pages know. */
export const accountHere = (): number | null => Number(device.read('signed-in')) || null;
