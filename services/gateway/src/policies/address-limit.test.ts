import type { AppError } from '@najwa/common';
import { expect, test } from '@jest/globals';
import { runPolicy } from '../../tests/support/policy.js';
import { createAddressLimit, limitKey } from './address-limit.js';

const from = (address: string) => ({
  exchange: { client: { address, host: 'najwa.example', protocol: 'https' as const } },
});

test('refuses what is more than the limit, from this address only, and says when to come back', async () => {
  const limit = createAddressLimit({ points: 2, seconds: 60, scale: 1 });
  const asked = [
    await runPolicy(limit, from('192.0.2.1')),
    await runPolicy(limit, from('192.0.2.1')),
    await runPolicy(limit, from('192.0.2.1')),
    await runPolicy(limit, from('192.0.2.2')),
  ];
  expect(asked.map(({ error }) => (error as AppError | undefined)?.code)).toEqual([
    undefined,
    undefined,
    'too_many_requests',
    undefined,
  ]);
  const { retryAfter } = asked[2]?.error as AppError;
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(60);
});

test('is multiplied by the scale, and switched off by 0', async () => {
  const doubled = createAddressLimit({ points: 1, seconds: 60, scale: 2 });
  const off = createAddressLimit({ points: 1, seconds: 60, scale: 0 });
  for (const limit of [doubled, off])
    for (let count = 0; count < 2; count += 1) expect((await runPolicy(limit)).error).toBeUndefined();
  expect((await runPolicy(doubled)).error).toMatchObject({ code: 'too_many_requests' });
  expect((await runPolicy(off)).error).toBeUndefined();
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (address, key) => expect(limitKey(address)).toBe(key));
