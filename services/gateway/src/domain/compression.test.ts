import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { accepts, gzipPrivate } from './compression.js';

test.each(['gzip', 'gzip, deflate, br, zstd', 'br;q=1.0, gzip;q=0.8', 'deflate,GZIP', 'gzip ;q=0.001'])(
  'compresses for a client that accepts "%s"',
  (header) => {
    expect(accepts('gzip', header)).toBe(true);
  },
);

test.each([undefined, '', 'br', 'identity', 'gzip;q=0', 'gzip; q=0.000, br', 'x-gzip', 'gzipped'])(
  'does not compress for a client that accepts "%s"',
  (header) => {
    expect(accepts('gzip', header)).toBe(false);
  },
);

test('hides the length of a private answer, and keeps its content', async () => {
  const body = Buffer.from(JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ id, text: 'نصّ خاصّ' }))));
  const answers = await Promise.all(Array.from({ length: 40 }, () => gzipPrivate(body)));
  for (const answer of answers) expect(gunzipSync(answer).equals(body)).toBe(true);
  expect(new Set(answers.map(({ length }) => length)).size).toBeGreaterThan(10);
});
