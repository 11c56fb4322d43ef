/** Null where there are none: without HTTPS, or because the browser refuses. Then reading the property may throw. */
export function serviceWorkers(): ServiceWorkerContainer | null {
  try {
    return (navigator as Partial<Navigator>).serviceWorker ?? null;
  } catch {
    return null;
  }
}

let registration: Promise<ServiceWorkerRegistration | null> | undefined;

async function register(): Promise<ServiceWorkerRegistration | null> {
  try {
    return (await serviceWorkers()?.register('/sw.js', { updateViaCache: 'none' })) ?? null;
  } catch {
    // A browser may refuse it, as in a private window.
    return null;
  }
}

/**
 * Registers the service worker. It works with a connection only. Call it when somebody begins something that it is for, never on arrival.
 *
 * @returns null where there is none
 */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  registration ??= register();
  const found = await registration;
  // Without a connection it fails, and may work later.
  if (found === null) registration = undefined;
  return found;
}
