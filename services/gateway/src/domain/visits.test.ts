import { expect, test } from '@jest/globals';
import type { Visit } from '@najwa/proto/events';
import type { Session } from '../clients/auth.js';
import { NEW_VISITORS, Visits } from './visits.js';
import { Windows, type WindowsOptions } from './windows.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';

function setUp({
  session = null,
  newVisitors = {},
}: { session?: Session | null; newVisitors?: Partial<WindowsOptions> } = {}) {
  const queued: Visit[] = [];
  const clock = { now: 0 };
  const resolved: string[] = [];
  const visits = new Visits({
    sessions: { find: (token) => (resolved.push(token), Promise.resolve(session)) },
    queue: (visit) => queued.push(visit),
    newVisitors: new Windows({ ...NEW_VISITORS, scale: 1, isShared: false, now: () => clock.now, ...newVisitors }),
    now: () => clock.now,
  });
  const visit = async (visitor: Partial<Parameters<typeof visits.note>[1]>) => {
    const usual = { name: nameOf(0), cookie: undefined, userAgent: BROWSER, isSecure: false, network: '192.0.2.1' };
    visits.note(7, { ...usual, ...visitor });
    await new Promise(setImmediate);
  };
  return { queued, clock, resolved, visits, visit };
}

const nameOf = (number: number) => String(number).padStart(22, 'a');

test('counts a visitor once in half an hour', async () => {
  const { queued, clock, visit } = setUp();
  for (let repeat = 0; repeat < 2; repeat += 1) for (const number of [1, 2]) await visit({ name: nameOf(number) });
  expect(queued).toHaveLength(2);
  clock.now = 30 * 60 * 1000;
  await visit({ name: nameOf(1) });
  expect(queued).toHaveLength(3);
});

test('what a browser fetches ahead is no visit, and opening it is one', async () => {
  const { queued, visit } = setUp();
  for (const purpose of ['prefetch', 'prefetch;prerender']) await visit({ purpose });
  expect(queued).toHaveLength(0);
  await visit({});
  expect(queued).toHaveLength(1);
});

test('a malformed session never reaches auth', async () => {
  const { queued, resolved, visit } = setUp();
  await visit({ cookie: `najwa_session=${'x'.repeat(8_000)}` });
  expect(queued).toHaveLength(1);
  expect(resolved).toEqual([]);
});

test('one network brings at most twenty new visitors an hour to a profile', async () => {
  const { queued, clock, visit } = setUp();
  for (let number = 0; number < 500; number += 1) await visit({ name: nameOf(number) });
  expect(queued).toHaveLength(20);
  await visit({ name: nameOf(501), network: '192.0.2.2' });
  expect(queued).toHaveLength(21);
  clock.now = 60 * 60 * 1000;
  await visit({ name: nameOf(502) });
  expect(queued).toHaveLength(22);
});

// Threat model: owner-28.
test('the first new visitors of a network count, and a neighbour finds no exact number of them', async () => {
  const totals = new Set<number>();
  for (let run = 0; run < 20; run += 1) {
    const { queued, visit } = setUp({ newVisitors: { isThinned: true } });
    for (let number = 0; number < 4; number += 1) await visit({ name: nameOf(number) });
    expect(queued).toHaveLength(4);
    for (let number = 4; number < 500; number += 1) await visit({ name: nameOf(number) });
    totals.add(queued.length);
  }
  expect(totals.size).toBeGreaterThan(3);
  expect(Math.max(...totals)).toBeLessThan(200);
});

test('does not count the owner, nor a crawler', async () => {
  const { queued, resolved, visit } = setUp({ session: { userId: 7, isAdmin: false, sessionId: 's' } });
  await visit({ cookie: `najwa_session=${'s'.repeat(43)}` });
  await visit({ userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
  expect(resolved).toHaveLength(1);
  expect(queued).toEqual([]);
});

test('pages that do not count leave the visitors remembered that did', async () => {
  const { queued, visits, visit } = setUp();
  await visit({ name: nameOf(0), network: '192.0.2.9' });
  const crawler = 'Googlebot/2.1 (+http://www.google.com/bot.html)';
  const other = { cookie: undefined, isSecure: false, network: '192.0.2.2' };
  for (let number = 1; number <= 100_000; number += 1) {
    visits.note(7, { ...other, name: nameOf(number), userAgent: crawler });
    visits.note(7, { ...other, name: nameOf(number), userAgent: BROWSER });
  }
  await visit({ name: nameOf(0), network: '192.0.2.9' });
  expect(queued).toHaveLength(1 + NEW_VISITORS.points);
});
