let registration: Promise<ServiceWorkerRegistration | null> | undefined;

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null;
  try {
    return await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  } catch {
    // A browser may refuse it, as in a private window.
    return null;
  }
}

/**
 * Registers the service worker. It works with a connection only. Call it when somebody begins something that it is for, never on arrival.
 *
 * @returns null where there is none: without HTTPS, or because the browser refuses
 */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  registration ??= register();
  const found = await registration;
  // Without a connection it fails, and may work later.
  if (found === null) registration = undefined;
  return found;
}
