import { expect, test } from '@jest/globals';
import { nextAttempt } from './sender.js';

test('pauses grow, keep to what the push service asks for, and end', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const seconds = (attempts: number, retryAfterMs: number | null = null): number | null => {
    const at = nextAttempt(attempts, retryAfterMs, now, 0.5);
    return at && (at.getTime() - now.getTime()) / 1000;
  };
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => seconds(attempts))).toEqual([1, 4, 16, 64, 256, 1024, 3600, null]);
  expect(seconds(1, 30_000)).toBe(30);
  expect(seconds(1, 10 ** 12)).toBe(6 * 3600);
});
