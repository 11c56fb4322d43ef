import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { coarseLastOnline, roundNumberBelow } from './presence.js';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const account = (id = 1) => ({ id, submission: { key: randomUUID(), content: '' } });
const START = Date.UTC(2026, 2, 1);
const minutes = (count: number) => Array.from({ length: count }, (_, index) => new Date(START + index * MINUTE_MS));
const shiftOn = (user: ReturnType<typeof account>, day: number) =>
  (coarseLastOnline({ ...user, lastOnline: new Date(START + (day + 0.5) * DAY_MINUTES * MINUTE_MS) }).getTime() /
    MINUTE_MS) %
  15;

describe('coarseLastOnline', () => {
  test('is never after the real time, never decreases, and stays for at least a quarter of an hour', () => {
    for (const user of [account(1), account(2), account(3)]) {
      const times = minutes(3 * DAY_MINUTES);
      const shown = times.map((lastOnline) => coarseLastOnline({ ...user, lastOnline }).getTime());
      const ages = times.map((time, index) => (time.getTime() - (shown[index] ?? 0)) / MINUTE_MS);
      expect([Math.min(...ages), Math.max(...ages)]).toEqual([0, expect.any(Number)]);
      expect(Math.max(...ages)).toBeLessThan(45);
      expect(shown).toEqual([...shown].sort((a, b) => a - b));

      const stays = [...new Set(shown)].map((value) => shown.filter((other) => other === value).length).slice(1, -1);
      expect(Math.min(...stays)).toBe(15);
      expect(stays.filter((count) => count > 15).length).toBeLessThanOrEqual(2);
    }
  });

  test('is shifted differently for each account and day', () => {
    const user = account();
    const days = Array.from({ length: 30 }, (_, day) => shiftOn(user, day));
    const accounts = Array.from({ length: 30 }, (_, index) => shiftOn(account(index), 0));
    expect(new Set(days).size).toBeGreaterThan(5);
    expect(new Set(accounts).size).toBeGreaterThan(5);
  });
});

test('announces 100 visits, 500, 1,000 and so on', () => {
  expect([0, 99, 100, 499, 500, 999, 1_000, 4_999, 5_000, 12_345, 1_000_000].map(roundNumberBelow)).toEqual([
    0, 0, 100, 100, 500, 500, 1_000, 1_000, 5_000, 10_000, 1_000_000,
  ]);
});
