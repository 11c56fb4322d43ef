import { describe, expect, test } from '@jest/globals';
import { quietUntil } from './quiet-hours.js';

const night = (timeZone: string, from = '23:00', to = '07:30') => ({ from, to, timeZone });
const until = (quiet: ReturnType<typeof night>, at: string) =>
  quietUntil(quiet, new Date(at))?.toISOString().slice(0, 16) ?? null;

describe('quiet hours', () => {
  test('quiet hours across midnight end in the morning of their time zone', () => {
    // Riyadh is three hours ahead.
    expect(until(night('Asia/Riyadh'), '2026-11-22T19:59:59Z')).toBeNull();
    expect(until(night('Asia/Riyadh'), '2026-11-22T20:00:00Z')).toBe('2026-11-23T04:30');
    expect(until(night('Asia/Riyadh'), '2026-11-23T04:29:59Z')).toBe('2026-11-23T04:30');
    expect(until(night('Asia/Riyadh'), '2026-11-23T04:30:00Z')).toBeNull();
    expect(until(night('Asia/Kathmandu'), '2026-11-22T18:00:00Z')).toBe('2026-11-23T01:45');
  });

  test('quiet hours within one day end on that day', () => {
    expect(until(night('UTC', '13:00', '15:00'), '2026-11-22T14:10:00Z')).toBe('2026-11-22T15:00');
    expect(until(night('UTC', '13:00', '15:00'), '2026-11-22T12:59:00Z')).toBeNull();
  });

  test('quiet hours are shorter when clocks go forward and longer when they go back', () => {
    // Berlin: 29 March 2026 at 01:00 UTC, and 25 October 2026 at 01:00 UTC.
    expect(until(night('Europe/Berlin'), '2026-03-28T22:30:00Z')).toBe('2026-03-29T05:30');
    expect(until(night('Europe/Berlin'), '2026-10-24T21:30:00Z')).toBe('2026-10-25T06:30');
  });

  test('quiet hours end when the clock skips their end, and last through a repeated hour', () => {
    expect(until(night('Europe/Berlin', '23:00', '02:30'), '2026-03-28T23:00:00Z')).toBe('2026-03-29T01:00');
    expect(until(night('Europe/Berlin', '01:00', '03:30'), '2026-10-25T00:15:00Z')).toBe('2026-10-25T02:30');
  });
});
