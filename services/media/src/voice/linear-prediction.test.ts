import { expect, test } from '@jest/globals';
import { createLinearPredictor } from './linear-prediction.js';
import { createRootFinder } from './roots.js';
import { hannWindow } from './window.js';

const RATE = 16_000;
const LENGTH = 4096;

/** Noise through a resonance: x[n] = e[n] + 2r cos(φ) x[n−1] − r² x[n−2]. */
function resonance(hertz: number, radius: number): Float64Array {
  const angle = (2 * Math.PI * hertz) / RATE;
  let [state, before, last] = [7, 0, 0];
  return Float64Array.from({ length: LENGTH }, () => {
    state = (state * 48_271) % 2_147_483_647;
    const value = state / 1_073_741_823.5 - 1 + 2 * radius * Math.cos(angle) * last - radius * radius * before;
    [before, last] = [last, value];
    return value;
  });
}

test.each([500, 1500, 3000, 6000])('finds a resonance at %i Hz', (hertz) => {
  const coefficients = new Float64Array(3);
  const window = hannWindow(LENGTH);
  expect(
    createLinearPredictor(2, RATE).analyse(
      resonance(hertz, 0.98).map((sample, index) => sample * (window[index] ?? 0)),
      coefficients,
    ),
  ).toBe(true);
  const finder = createRootFinder(2);
  finder.solve(coefficients);
  const [x, y] = [finder.roots.real[0] ?? 0, finder.roots.imaginary[0] ?? 0];
  expect((Math.abs(Math.atan2(y, x)) * RATE) / (2 * Math.PI)).toBeCloseTo(hertz, -2);
  expect(Math.hypot(x, y)).toBeCloseTo(0.98, 1);
});

test('returns a stable filter even for a pure tone', () => {
  const coefficients = new Float64Array(21);
  const window = hannWindow(320);
  for (const hertz of [100, 440, 3333, 7900]) {
    const frame = window.map((weight, index) => weight * Math.sin((2 * Math.PI * hertz * index) / RATE));
    expect(createLinearPredictor(20, RATE).analyse(frame, coefficients)).toBe(true);
    const finder = createRootFinder(20);
    expect(finder.solve(coefficients)).toBe(true);
    finder.roots.real.forEach((x, index) => expect(Math.hypot(x, finder.roots.imaginary[index] ?? 0)).toBeLessThan(1));
  }
});

test('returns false for silence', () => {
  expect(createLinearPredictor(20, RATE).analyse(new Float64Array(320), new Float64Array(21))).toBe(false);
});
