import { expect, test } from '@jest/globals';
import { addArrivals, recentArrivals, type Arrivals } from './waves.js';

const RULE = { points: 30, seconds: 600 };
const START = Date.parse('2026-11-22T12:00:00Z');
const at = (minutes: number): Date => new Date(START + minutes * 60_000);

/** With so many arrivals in each ten minutes, one after the other. */
function isWaveAfter(...windows: number[]): boolean {
  let arrivals: Arrivals | undefined;
  windows.forEach((count, index) => (arrivals = addArrivals(RULE, arrivals, count, at(index * 10 + 5))));
  return recentArrivals(RULE, arrivals, at((windows.length - 1) * 10 + 5)).isWave;
}

test.each([
  ['a quiet link', [0, 2, 5], false],
  ['a new link with a burst', [40], true],
  ['a link that is used to it', [30, 25, 30, 40], false],
  ['four times as many as ever', [10, 10, 10, 41], true],
  ['a few more than four times a little', [2, 2, 2, 20], false],
  ['the end of a wave', [5, 5, 60, 0, 0], false],
])('whether arrivals are a wave: %s', (_name, windows, wave) => {
  expect(isWaveAfter(...windows)).toBe(wave);
});

test('the end of a window does not end a wave', () => {
  const arrivals = addArrivals(RULE, undefined, 60, at(9));
  expect(recentArrivals(RULE, arrivals, at(11))).toEqual({ count: 54, isWave: true });
  expect(recentArrivals(RULE, arrivals, at(16))).toEqual({ count: 24, isWave: false });
});

test('a wave becomes usual after hours, not within one', () => {
  const hours = (count: number) => isWaveAfter(8, ...Array.from({ length: count * 6 }, () => 60));
  expect([hours(1), hours(6)]).toEqual([true, false]);
});
