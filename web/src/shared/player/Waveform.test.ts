import { describe, expect, test } from '@jest/globals';
import { BAR_COUNT, toBars } from './Waveform.js';

describe('toBars()', () => {
  test('toBars() shows the highest peak of each share', () => {
    const peaks = Array.from({ length: 2 * BAR_COUNT }, (_, index) => (index % 2 === 0 ? 20 : 60));
    expect(toBars(peaks)).toEqual(Array.from({ length: BAR_COUNT }, () => 60));
  });

  test('toBars() returns a fixed number of bars', () => {
    expect(toBars([40, 80])).toEqual([
      ...Array.from({ length: BAR_COUNT / 2 }, () => 40),
      ...Array.from({ length: BAR_COUNT / 2 }, () => 80),
    ]);
  });

  test('toBars() shows silence as small bars and clips high peaks', () => {
    expect(Math.min(...toBars([0, 0, 400]))).toBeGreaterThan(0);
    expect(Math.max(...toBars([0, 0, 400]))).toBe(100);
  });

  test('toBars() returns even bars without peaks', () => {
    expect(new Set(toBars(null)).size).toBe(1);
    expect(toBars([])).toEqual(toBars(null));
  });
});
