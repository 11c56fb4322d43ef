import { expect, test } from '@jest/globals';
import { createLinearPredictor } from './linear-prediction.js';
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

const windowed = (samples: Float64Array): Float64Array => {
  const window = hannWindow(samples.length);
  return samples.map((sample, index) => sample * (window[index] ?? 0));
};

test.each([500, 1500, 3000, 6000])('finds a resonance at %i Hz', (hertz) => {
  const [, first = 0, second = 0] = predict(windowed(resonance(hertz, 0.98)), 2).filter;
  // The filter is 1 − 2r cos(φ) z⁻¹ + r² z⁻².
  expect(Math.sqrt(second)).toBeCloseTo(0.98, 1);
  expect((Math.acos(-first / (2 * Math.sqrt(second))) * RATE) / (2 * Math.PI)).toBeCloseTo(hertz, -2);
});

test('gives the power of the frame and of the noise behind it', () => {
  const frame = windowed(resonance(1500, 0.95));
  const { power, residual } = predict(frame, 2);
  const noise = windowed(resonance(1500, 0));
  expect(power).toBeCloseTo(
    frame.reduce((sum, sample) => sum + sample * sample, 0),
    6,
  );
  expect(residual / noise.reduce((sum, sample) => sum + sample * sample, 0)).toBeCloseTo(1, 0);
});

test.each([100, 440, 3333, 7900])('the residual of a tone of %i Hz is positive and finite', (hertz) => {
  const tone = windowed(
    Float64Array.from({ length: 512 }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / RATE)),
  );
  const { residual, filter } = predict(tone, 20);
  expect(residual).toBeGreaterThan(0);
  expect(filter.every(Number.isFinite)).toBe(true);
});

test('silence has a flat filter', () => {
  const { residual, filter } = predict(new Float64Array(512), 20);
  expect(residual).toBeGreaterThan(0);
  expect([...filter]).toEqual([1, ...Array.from({ length: 20 }, () => expect.closeTo(0, 9))]);
});

function predict(frame: Float64Array, order: number): { filter: Float64Array; residual: number; power: number } {
  const filter = new Float64Array(order + 1);
  const predictor = createLinearPredictor(order, RATE);
  const residual = predictor.analyse(frame, filter);
  return { filter, residual, power: predictor.power };
}
