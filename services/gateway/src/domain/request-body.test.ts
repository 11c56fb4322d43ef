import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { ClientGoneError, collectBody, createNetworkPaces, discardBody, meterBody, type Pace } from './request-body.js';

const RULES = { minBytesPerSecond: 1, graceMs: 60_000, maxPauseMs: 60_000 };
const MEBIBYTE = 1024 * 1024;

const CHUNK = Buffer.alloc(64 * 1024);

/** A request with a chunked body, and the number of chunks read. */
function newRequest(chunks: number) {
  const read = { chunks: 0 };
  const request = Object.assign(
    new Readable({
      read() {
        const hasMore = read.chunks < chunks;
        if (hasMore) read.chunks += 1;
        request.complete = !hasMore;
        this.push(hasMore ? CHUNK : null);
      },
    }),
    { headers: {}, complete: false },
  );
  return { request: request as unknown as IncomingMessage, read };
}

/** The test sends its body in pieces. */
function newOpenRequest() {
  const sent = new PassThrough();
  return { sent, request: Object.assign(sent, { headers: {} }) as unknown as IncomingMessage };
}

describe('a collected body', () => {
  test('a collected body is complete', async () => {
    const { sent, request } = newOpenRequest();
    const body = collectBody(request, 10, RULES);
    sent.write('one ');
    sent.end('two');
    await expect(body).resolves.toEqual(Buffer.from('one two'));
  });

  test.each(['', 'one'])('a collected body is complete if it arrived before it is read: "%s"', async (content) => {
    const { sent, request } = newOpenRequest();
    sent.end(content);
    request.complete = true;
    await expect(collectBody(request, 10, RULES)).resolves.toEqual(Buffer.from(content));
  });

  test('a collected body is refused above its size', async () => {
    const { sent, request } = newOpenRequest();
    const body = collectBody(request, 3, RULES);
    sent.write('four');
    await expect(body).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(sent.destroyed).toBe(false);
  });

  test('a collected body is refused when it stops arriving', async () => {
    const { sent, request } = newOpenRequest();
    const body = collectBody(request, 10, { ...RULES, maxPauseMs: 20 });
    sent.write('one');
    await expect(body).rejects.toMatchObject({ code: 'request_timeout' });
    expect(sent.destroyed).toBe(false);
  });

  test('a collected body ends with a client that goes away', async () => {
    const { sent, request } = newOpenRequest();
    const body = collectBody(request, 10, RULES);
    sent.destroy();
    await expect(body).rejects.toBeInstanceOf(ClientGoneError);
  });
});

test('a body is not read faster than its reader reads it', async () => {
  const { request, read } = newRequest(160);
  const body = meterBody(request, 10 * MEBIBYTE, { arrival: RULES, pace: () => 0 });
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  expect(read.chunks).toBeLessThan(5);
  expect(await buffer(body)).toHaveLength(10 * MEBIBYTE);
});

test('a failed body leaves the request open, so that it can be answered', async () => {
  const { request } = newRequest(160);
  const body = meterBody(request, CHUNK.length, { arrival: RULES, pace: () => 0 });
  const isRead = new Promise((resolve) => request.once('end', resolve));
  await expect(buffer(body)).rejects.toMatchObject({ code: 'payload_too_large' });
  await isRead;
});

test.each([
  [
    'passed on',
    (request: IncomingMessage, pace: Pace) => meterBody(request, 10 * MEBIBYTE, { arrival: RULES, pace }).resume(),
  ],
  ['thrown away', discardBody],
])('a body is %s at its pace', async (_, read) => {
  const { request, read: counted } = newRequest(160);
  read(request, () => 3_600_000);
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  expect(counted.chunks).toBeLessThan(5);
});

function setUp(bytesPerSecond: number) {
  const clock = { now: 5_000 };
  return { clock, paceOf: createNetworkPaces({ bytesPerSecond, now: () => clock.now }) };
}

test('all bodies of a network share its pace, and take none from another', () => {
  const { paceOf } = setUp(1_000);
  const [one, two] = [paceOf('a'), paceOf('a')];
  expect([one(100), two(100), one(50), paceOf('b')(100)]).toEqual([100, 200, 250, 100]);
});

test('time in which nothing came is not saved up', () => {
  const { clock, paceOf } = setUp(1_000);
  expect(paceOf('a')(100)).toBe(100);
  clock.now += 60_000;
  expect(paceOf('a')(100)).toBe(100);
});

test('without a bound, nothing waits', () => {
  const { paceOf } = setUp(Infinity);
  expect([1, 2].map(() => paceOf('a')(10_000_000))).toEqual([0, 0]);
});
