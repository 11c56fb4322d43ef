/// <reference lib="webworker" />
import { listenToPush } from './notices.js';
import { listenToPages } from './offline.js';
import { listenToSync } from './sync.js';

/* Built as one file, /sw.js (build.js). It serves no page or file, but says on two pages that there is no line. */
declare const self: ServiceWorkerGlobalScope;

// New versions take over at once: none depends on which one answers.
self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting());
});
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

listenToPages();
listenToPush();
listenToSync();
