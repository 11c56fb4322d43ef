import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Waiting } from './store.js';

let waiting: Waiting[] = [];
const recordDelivery = jest.fn<(gone: { key: string }) => Promise<void>>(() => Promise.resolve());
const removeWaiting = jest.fn<(key: string) => Promise<void>>(() => Promise.resolve());
const putWaiting = jest.fn<(message: Waiting) => Promise<void>>(() => Promise.resolve());
jest.unstable_mockModule('./store.js', () => ({
  clearOutbox: jest.fn(),
  recordDelivery,
  putWaiting,
  readOutbox: () => Promise.resolve({ waiting, gone: [] }),
  removeWaiting,
}));
const { forgetOldWaiting, sendWaiting } = await import('./send.js');

const message = (key: string, recipientId: number, content: Waiting['content'] = { content: key }): Waiting => ({
  key,
  account: null,
  recipient: { id: recipientId, username: `user${String(recipientId)}`, name: 'Noura' },
  writtenAt: '2026-11-24T10:00:00.000Z',
  content,
  state: { name: 'waiting' },
});

const sent = (id: number) => ({
  status: 201,
  ok: true,
  headers: new Headers(),
  text: () => Promise.resolve(JSON.stringify({ id, createdAt: '2026-11-24T10:00:01.000Z' })),
});
const refused = (status: number, code: string) => ({
  status,
  ok: false,
  headers: new Headers(),
  text: () => Promise.resolve(JSON.stringify({ code })),
});

/** By message key. Without one the server is unreachable. */
let answers: Record<string, unknown> = {};
const asked: string[] = [];
const gone = () => recordDelivery.mock.calls.map(([{ key }]) => key);
const { fetch: realFetch } = globalThis;

beforeEach(() => {
  globalThis.fetch = ((_url: string, { headers }: { headers: Record<string, string> }) => {
    const key = headers['Idempotency-Key'] ?? '';
    asked.push(key);
    return key in answers ? Promise.resolve(answers[key]) : Promise.reject(new TypeError('No line.'));
  }) as unknown as typeof fetch;
});
afterEach(() => {
  globalThis.fetch = realFetch;
  asked.length = 0;
  jest.clearAllMocks();
});

describe('messages that wait', () => {
  test('waiting messages are sent although an earlier one to another recipient cannot be', async () => {
    waiting = [message('voice', 1), message('later', 1), message('other', 2)];
    answers = { voice: refused(503, 'unavailable'), later: sent(8), other: sent(9) };
    expect(await sendWaiting()).toBe(false);
    expect(gone()).toEqual(['other']);
    // In the order of writing.
    expect(asked).toEqual(['voice', 'other']);
  });

  test('waiting messages all stay without a connection', async () => {
    waiting = [message('first', 1), message('second', 2)];
    answers = {};
    expect(await sendWaiting()).toBe(false);
    expect(asked).toEqual(['first']);
    expect(putWaiting).not.toHaveBeenCalled();
  });

  test('waiting messages have the time of a slow connection', async () => {
    const timer = jest.spyOn(globalThis, 'setTimeout');
    waiting = [message('text', 1), message('picture', 2, { content: '', imageUrl: 'x'.repeat(4_096_000) })];
    answers = { text: sent(8), picture: sent(9) };
    expect(await sendWaiting()).toBe(true);
    const [text = 0, picture = 0] = timer.mock.calls.map(([, ms]) => ms);
    expect(text).toBeLessThan(130_000);
    expect(picture).toBeGreaterThan(300_000);
    timer.mockRestore();
  });

  test('waiting messages are forgotten after ninety days, for every writer', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
    waiting = [
      { ...message('old', 1), account: 7, state: { name: 'held' }, writtenAt: daysAgo(91) },
      { ...message('recent', 1), writtenAt: daysAgo(89) },
    ];
    await forgetOldWaiting();
    expect(removeWaiting.mock.calls).toEqual([['old']]);
  });
});
