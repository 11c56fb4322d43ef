import { sendWaiting } from '../lib/outbox/send.js';

declare const self: ServiceWorkerGlobalScope;

/** No type of TypeScript's has it: only some browsers do. */
interface SyncEvent extends ExtendableEvent {
  tag: string;
}

/** Sends messages that wait when the line is back, also without a page. A failure makes the browser try again. */
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
