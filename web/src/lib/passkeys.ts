import { useOnDevice } from './hooks.js';
import { isInApp } from './in-app.js';

/**
 * Browsers know passkeys only on pages that came over HTTPS or from this machine. Those inside other apps on iOS have the names,
 * but work for the app's own site alone.
 */
export const knowsPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function' && !isInApp();

/** The same for pages that the server renders, which it does for a browser that knows them. */
export const useKnowsPasskeys = (): boolean => useOnDevice(knowsPasskeys, true);
