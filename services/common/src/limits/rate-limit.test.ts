import { describe, expect, test } from '@jest/globals';
import { AppError } from '../errors/errors.js';
import { ClientRateLimiter, type RateLimit, ThinnedRateLimiter } from './rate-limit.js';

const LIMIT: RateLimit = { name: 'logins', points: 2, seconds: 900 };

/** Counts in memory, and records the keys. */
function countInMemory() {
  const asked: string[] = [];
  const limiter = new ClientRateLimiter(({ points }) => {
    const taken = new Map<string, number>();
    return {
      consume(key) {
        asked.push(key);
        taken.set(key, (taken.get(key) ?? 0) + 1);
        if ((taken.get(key) ?? 0) <= points) return Promise.resolve();
        return Promise.reject(new AppError({ code: 'too_many_requests', message: 'Too many.', retryAfter: 900 }));
      },
    };
  }, LIMIT);
  return { limiter, asked };
}

describe('a client limit', () => {
  test('costs a site that has used up its share no point of each of its networks', async () => {
    const { limiter, asked } = countInMemory();
    const addressOf = (network: number): string => `2001:db8:0:${network.toString(16)}::1`;
    let network = 0;
    while (!limiter.isSiteUsedUp(addressOf(0))) await limiter.consume(addressOf((network += 1))).catch(() => undefined);
    asked.length = 0;
    await expect(limiter.consume(addressOf(network + 1))).rejects.toThrow('Too many.');
    expect(asked).toEqual(['2001:db8::/56']);
    expect(limiter.isSiteUsedUp('2001:db8:1::1')).toBe(false);
  });

  test('lets a network that has used up its own points take none of its neighbours', async () => {
    const { limiter } = countInMemory();
    for (let call = 0; call < 20; call += 1) await limiter.consume('192.0.2.1').catch(() => undefined);
    expect(limiter.isSiteUsedUp('192.0.2.2')).toBe(false);
    await limiter.consume('192.0.2.2');
  });
});

// Threat model: owner-28.
test('a thinned limit counts by chance, refuses until its window ends, and by the clock alone', async () => {
  const taken = new Map<string, number>();
  const clock = { now: 700_000 };
  const draws = [0.9, 0.9, 0, 0, 0.9, 0, 0, 0];
  const limiter = new ThinnedRateLimiter(
    {
      consume(key, points = 1) {
        taken.set(key, (taken.get(key) ?? 0) + points);
        if ((taken.get(key) ?? 0) <= 20) return Promise.resolve();
        return Promise.reject(new AppError({ code: 'too_many_requests', message: 'Too many.', retryAfter: 600 }));
      },
    },
    { name: 'misses', points: 20, seconds: 600 },
    1,
    { random: () => draws.shift() ?? 0, now: () => clock.now },
  );
  const attempt = () =>
    limiter.consume('a').then(
      () => 'counted',
      ({ retryAfter }: AppError) => retryAfter,
    );
  const answers = [];
  for (let call = 0; call < 9; call += 1) answers.push(await attempt());
  expect(answers).toEqual([...Array<string>(7).fill('counted'), 500, 500]);
  expect(() => limiter.refuseUsedUp('a')).toThrow('Too many');
  limiter.refuseUsedUp('b');
  clock.now = 1_200_000;
  expect(await attempt()).toBe('counted');
});
