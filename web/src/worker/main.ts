/// <reference lib="webworker" />
import { listenToPush } from './notices.js';
import { listenToSync } from './sync.js';

/* Built as one file, /sw.js (build.js). Without a `fetch` listener, it serves no page or file. */
declare const self: ServiceWorkerGlobalScope;

// New versions take over at once: none depends on which one answers.
self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting());
});
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

listenToPush();
listenToSync();
