import { sendWaiting } from '../lib/outbox/send.js';

declare const self: ServiceWorkerGlobalScope;

/** Missing in TypeScript's types: not all browsers have it. */
interface SyncEvent extends ExtendableEvent {
  tag: string;
}

/** Sends waiting messages when online, also without a page. A rejection makes the browser retry. */
export function listenToSync(): void {
  self.addEventListener('sync' as 'activate', (event) => {
    if ((event as SyncEvent).tag !== 'outbox') return;
    event.waitUntil(
      sendWaiting().then((isDone) => {
        if (!isDone) throw new Error('Something still waits.');
      }),
    );
  });
}
