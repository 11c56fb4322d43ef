import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { listenToPush } from './notices.js';

/** URLs of windows opened by the worker. */
const opened: string[] = [];

beforeAll(() => {
  // The API that browsers give to a service worker.
  const clients = {
    matchAll: () => Promise.resolve([]),
    openWindow: (address: string) => {
      const { pathname, hash } = new URL(address);
      opened.push(pathname + hash);
      return Promise.resolve(null);
    },
  };
  Object.assign(globalThis, { clients });
  listenToPush();
});

beforeEach(() => {
  opened.length = 0;
});

async function click(notice: object): Promise<void> {
  const works: Promise<unknown>[] = [];
  const event = Object.assign(new Event('notificationclick'), {
    notification: { data: notice, close: () => undefined },
    waitUntil: (work: Promise<unknown>) => works.push(work),
  });
  self.dispatchEvent(event);
  await Promise.all(works);
}

test.each([
  ['message', '/profile#messages'],
  ['several', '/profile#messages'],
  ['report', '/settings/receiving'],
  ['visits', '/profile'],
  ['test', '/settings/notices'],
])('a click on a notice of the kind %s opens %s', async (kind, address) => {
  await click({ kind, language: 'ar' });
  expect(opened).toEqual([address]);
});
