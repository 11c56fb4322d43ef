import { describe, expect, test } from '@jest/globals';
import { BAR_COUNT, toBars } from './bars.js';

describe('the bars of a waveform', () => {
  test('show the tallest of the peaks they stand for', () => {
    const peaks = Array.from({ length: 2 * BAR_COUNT }, (_, index) => (index % 2 === 0 ? 20 : 60));
    expect(toBars(peaks)).toEqual(Array.from({ length: BAR_COUNT }, () => 60));
  });

  test('are as many however few peaks there are', () => {
    expect(toBars([40, 80])).toEqual([
      ...Array.from({ length: BAR_COUNT / 2 }, () => 40),
      ...Array.from({ length: BAR_COUNT / 2 }, () => 80),
    ]);
  });

  test('are seen in silence as well, and never rise above their row', () => {
    expect(Math.min(...toBars([0, 0, 400]))).toBeGreaterThan(0);
    expect(Math.max(...toBars([0, 0, 400]))).toBe(100);
  });

  test('are even where nobody measured', () => {
    expect(new Set(toBars(null)).size).toBe(1);
    expect(toBars([])).toEqual(toBars(null));
  });
});
