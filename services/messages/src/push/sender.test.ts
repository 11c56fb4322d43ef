import { expect, test } from '@jest/globals';
import { nextAttempt, withNews } from './sender.js';
import type { PushSubscriptionRecord } from './subscription-store.js';

test('push retries back off, respect Retry-After and end', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const seconds = (attempts: number, retryAfterMs: number | null = null): number | null => {
    const at = nextAttempt(attempts, retryAfterMs, now, 0.5);
    return at && (at.getTime() - now.getTime()) / 1000;
  };
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => seconds(attempts))).toEqual([1, 4, 16, 64, 256, 1024, 3600, null]);
  expect(seconds(1, 30_000)).toBe(30);
  expect(seconds(1, 10 ** 12)).toBe(6 * 3600);
});

// Threat model: network-7, push-3.
test('a reply notice waits for a random time and joins an immediate one', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const browser = { notice: null, quiet: null, restUntil: null } as PushSubscriptionRecord;
  const waits = Array.from({ length: 200 }, () => {
    const { dueAt } = withNews(browser, ['reply'], now, 600_000);
    return dueAt.getTime() - now.getTime();
  });
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...waits)).toBeLessThanOrEqual(600_000);
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(300_000);

  const notice = { ...withNews(browser, ['reply'], now, 600_000), dueAt: new Date(now.getTime() + 500_000) };
  const joined = withNews({ ...browser, notice }, ['message'], now, 600_000);
  expect(joined).toMatchObject({ kinds: ['reply', 'message'], dueAt: now });
  expect(withNews(browser, ['message'], now, 600_000).dueAt).toEqual(now);
});
