import { ReadableStream } from 'node:stream/web';
import { setImmediate } from 'node:timers';
import { TextDecoder, TextEncoder } from 'node:util';
import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';
import 'whatwg-fetch';

afterEach(() => {
  cleanup();
  // Each test has a tab of its own.
  sessionStorage.clear();
});

// Catches only what hangs: on a busy machine, the first import of a part that is loaded on demand takes many seconds.
configure({ asyncUtilTimeout: Number(process.env['NAJWA_PATIENCE_MS'] ?? 120_000) });

// As many as Node.js keeps. Jest keeps a hundred, and React makes an error for each element.
Error.stackTraceLimit = 10;

// Browser features that jsdom lacks.
// The server's renderer needs the first two.
Object.assign(globalThis, { ReadableStream, setImmediate, TextDecoder, TextEncoder });
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.scrollTo = () => undefined;
Element.prototype.hasPointerCapture = () => false;
Element.prototype.setPointerCapture = () => undefined;
Element.prototype.releasePointerCapture = () => undefined;
window.scrollTo = () => undefined;
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
