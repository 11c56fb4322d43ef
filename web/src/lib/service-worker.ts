import { useEffect } from 'react';
import { onIdle } from './on-demand.js';

/** Null without HTTPS, or if refused. Then reading the property may throw. */
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
    return null;
  }
}

/** Needs a connection. Call it when its function is first used. @returns null if unsupported */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  registration ??= register();
  const found = await registration;
  if (found === null) registration = undefined;
  return found;
}

/** For pages that people load again on the way: without a connection the worker says so. */
export const useOfflinePage = (): void => {
  useEffect(() => onIdle(() => void registerServiceWorker()), []);
};
