/// <reference lib="webworker" />
import { listenToPush } from './notices.js';
import { listenToSync } from './sync.js';

/*
 * The service worker, built as one file, /sw.js (build.js). It is there for sending and for push alone. It listens to no `fetch`,
 * so every page and file comes from the server or from the browser's own cache, as without it.
 */
declare const self: ServiceWorkerGlobalScope;

// Nothing depends on which version answers, so a new one takes over at once.
self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting());
});
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

listenToPush();
listenToSync();
