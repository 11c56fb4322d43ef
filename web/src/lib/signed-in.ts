import { device } from './storage.js';

/** Event of the window: the account of this page is not signed in any more. */
export const ACCOUNT_LEFT = 'accountleft';

/** Id of the account that is signed in at this browser, as far as its pages know. */
export const accountHere = (): number | null => Number(device.read('signed-in')) || null;
