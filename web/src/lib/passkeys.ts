import { useOnDevice } from './hooks.js';
import { isInApp } from './in-app.js';

/** Needs HTTPS or localhost. In-app browsers on iOS have the API, but only for the app's own site. */
export const knowsPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function' && !isInApp();

/** True on the server. */
export const useKnowsPasskeys = (): boolean => useOnDevice(knowsPasskeys, true);
