import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { presenceForOthers, presenceStep, roundNumberBelow } from './presence.js';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const account = (id = 1) => ({ id, submission: { key: randomUUID(), content: '' } });
const START = Date.UTC(2026, 2, 1);
const minute = (count: number): Date => new Date(START + count * MINUTE_MS);
const minutes = (count: number) => Array.from({ length: count }, (_, index) => minute(index));
const shiftOn = (user: ReturnType<typeof account>, day: number) =>
  (presenceStep(user, minute((day + 0.5) * DAY_MINUTES)).start.getTime() / MINUTE_MS) % 15;

describe('the steps of presence', () => {
  test('presence steps follow each other and last at least fifteen minutes', () => {
    for (const user of [account(1), account(2), account(3)]) {
      const steps = minutes(3 * DAY_MINUTES).map((time) => ({ time, ...presenceStep(user, time) }));
      for (const { time, start, end } of steps) {
        expect(start.getTime()).toBeLessThanOrEqual(time.getTime());
        expect(end.getTime()).toBeGreaterThan(time.getTime());
        expect(presenceStep(user, end).start).toEqual(end);
      }
      const lengths = steps.map(({ start, end }) => (end.getTime() - start.getTime()) / MINUTE_MS);
      expect(Math.min(...lengths)).toBe(15);
      expect(Math.max(...lengths)).toBeLessThan(45);
      expect(
        new Set(steps.filter((_, index) => (lengths[index] ?? 0) > 15).map(({ end }) => end.getTime())).size,
      ).toBeLessThan(5);
    }
  });

  test('presence steps are shifted by account and day', () => {
    const user = account();
    const days = Array.from({ length: 30 }, (_, day) => shiftOn(user, day));
    const accounts = Array.from({ length: 30 }, (_, index) => shiftOn(account(index), 0));
    expect(new Set(days).size).toBeGreaterThan(5);
    expect(new Set(accounts).size).toBeGreaterThan(5);
  });
});

describe('the presence that others see', () => {
  const NOON = 12 * 60;
  const seenAt = (user: ReturnType<typeof account>, lastOnline: Date | null, shownOnline: Date | null, now: Date) =>
    presenceForOthers({ ...user, lastOnline, shownOnline }, now);

  // Threat model: owner-7.
  test('the presence shown to others changes at steps only, however an account reads within one', () => {
    const user = account();
    const { start, end } = presenceStep(user, minute(NOON));
    for (let read = start.getTime(); read < end.getTime(); read += MINUTE_MS) {
      const at = (now: Date) => seenAt(user, new Date(read), null, now);
      expect(at(new Date(end.getTime() - 1))).toEqual({ isOnline: false, lastOnline: null });
      expect(at(end)).toEqual({ isOnline: true, lastOnline: start });
      expect(at(new Date(end.getTime() + 60 * MINUTE_MS - 1))).toEqual({ isOnline: true, lastOnline: start });
      expect(at(new Date(end.getTime() + 60 * MINUTE_MS))).toEqual({ isOnline: false, lastOnline: start });
    }
  });

  test('the presence shown to others stays at the previous step while an account keeps reading', () => {
    const user = account();
    const { start: earlier, end: start } = presenceStep(user, minute(NOON));
    const before = seenAt(user, earlier, null, start);
    for (let read = 0; read < 15; read += 1) {
      const now = new Date(start.getTime() + read * MINUTE_MS);
      expect(seenAt(user, now, earlier, now)).toEqual(before);
    }
  });

  test('the first sign-in shows at once', () => {
    const user = account();
    const now = minute(NOON);
    expect(seenAt(user, now, now, now)).toEqual({ isOnline: true, lastOnline: presenceStep(user, now).start });
  });
});

test('announces 100, 500 and 1,000 visits and so on', () => {
  expect([0, 99, 100, 499, 500, 999, 1_000, 4_999, 5_000, 12_345, 1_000_000].map(roundNumberBelow)).toEqual([
    0, 0, 100, 100, 500, 500, 1_000, 1_000, 5_000, 10_000, 1_000_000,
  ]);
});
