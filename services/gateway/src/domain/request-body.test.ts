import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { meterBody } from './request-body.js';

const RULES = { minBytesPerSecond: 1, graceMs: 1_000, maxPauseMs: 1_000 };
const MEBIBYTE = 1024 * 1024;

const newRequest = () => Object.assign(new PassThrough(), { headers: {}, complete: false });

test('is not read faster than its reader reads it', async () => {
  const request = newRequest();
  const body = meterBody(request as unknown as IncomingMessage, 10 * MEBIBYTE, RULES);
  let accepted = 0;
  while (request.write(Buffer.alloc(16 * 1024))) {
    accepted += 16 * 1024;
    await new Promise(setImmediate);
  }
  expect(accepted).toBeLessThan(MEBIBYTE);
  request.end();
  expect(await buffer(body)).toHaveLength(accepted + 16 * 1024);
});

test('leaves the request open when it fails, so that it can be answered', async () => {
  const request = newRequest();
  const body = meterBody(request as unknown as IncomingMessage, 10, RULES);
  request.write(Buffer.alloc(11));
  await expect(buffer(body)).rejects.toMatchObject({ code: 'payload_too_large' });
  expect(request.destroyed).toBe(false);
  request.end('the rest');
  await new Promise((resolve) => request.once('end', resolve));
});
