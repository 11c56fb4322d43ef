import { ReadableStream } from 'node:stream/web';
import { setImmediate } from 'node:timers';
import { TextDecoder, TextEncoder } from 'node:util';
import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import 'whatwg-fetch';

afterEach(() => {
  cleanup();
  // Each test has a tab of its own.
  sessionStorage.clear();
});

// Only for hanging tests: on a busy machine a first import takes many seconds.
configure({ asyncUtilTimeout: Number(process.env['NAJWA_PATIENCE_MS'] ?? 120_000) });

// Toasts stay, and parts may load for long: on a busy machine their 5 to 10 s pass between two steps of a test.
const wait = window.setTimeout.bind(window);
Object.assign(window, {
  setTimeout: (task: () => void, ms = 0, ...values: unknown[]) =>
    ms >= 5_000 && ms <= 10_000 ? 0 : wait(task, ms, ...values),
});

// As if React had kept its most: it captures a stack for each element until then, a tenth of the time of all tests.
Object.defineProperty(
  (React as unknown as Record<string, object>)['__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'],
  'recentlyCreatedOwnerStacks',
  {
    get: () => Infinity,
    set() {
      // React begins anew each second.
    },
  },
);

// Browser features that jsdom lacks. The server's renderer needs the first two.
Object.assign(globalThis, { ReadableStream, setImmediate, TextDecoder, TextEncoder });
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.scrollTo = () => undefined;
Element.prototype.hasPointerCapture = () => false;
Element.prototype.setPointerCapture = () => undefined;
Element.prototype.releasePointerCapture = () => undefined;
window.scrollTo = () => undefined;
document.elementsFromPoint = () => [];
Object.defineProperty(document, 'fonts', { value: new EventTarget() });
Blob.prototype.arrayBuffer = function () {
  return new Response(this).arrayBuffer();
};
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
globalThis.ResizeObserver = class {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
};
