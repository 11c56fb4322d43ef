import { expect, test } from '@jest/globals';
import { growth } from './statistics.js';

test('growth distinguishes a slope from noise and single peaks', () => {
  const noise = (index: number): number => ((index * 7) % 5) - 2;
  const flat = Array.from({ length: 90 }, (_, index) => 100 + noise(index));
  expect(growth(flat)).toBeCloseTo(1, 1);
  expect(growth(flat.map((value, index) => (index % 20 === 0 ? 900 : value)))).toBeCloseTo(1, 1);
  expect(growth(flat.map((value, index) => value + index))).toBeGreaterThan(1.5);
});
