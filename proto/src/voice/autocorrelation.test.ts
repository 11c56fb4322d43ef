import { expect, test } from '@jest/globals';
import { createAutocorrelator } from './autocorrelation.js';
import { createFft } from './fft.js';
import { hannWindow } from './window.js';

test('transforms a cosine to two bins and an impulse to a flat spectrum', () => {
  const size = 16;
  const fft = createFft(size);
  const real = Float64Array.from({ length: size }, (_, index) => Math.cos((2 * Math.PI * 3 * index) / size));
  const imaginary = new Float64Array(size);
  fft(real, imaginary);
  expect([...real].map((value) => Math.round(value * 1e9) / 1e9 + 0)).toEqual([
    0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0,
  ]);
  expect(Math.max(...imaginary.map(Math.abs))).toBeLessThan(1e-12);

  const impulse = Float64Array.of(1, ...new Float64Array(size - 1));
  fft(impulse, imaginary.fill(0));
  expect([...impulse]).toEqual(Array.from({ length: size }, () => 1));
});

test('autocorrelates two frames at once with the same result as a sum of products', () => {
  const [length, lags] = [800, 230];
  const window = hannWindow(length);
  const frames = [5, 13].map((step) =>
    window.map((weight, index) => weight * Math.sin(index * index * step * 1e-3)),
  ) as [Float64Array, Float64Array];
  const results = [new Float64Array(lags), new Float64Array(lags)] as const;
  createAutocorrelator(length, lags)(frames, results);
  frames.forEach((frame, side) => {
    const product = (lag: number): number =>
      frame.subarray(lag).reduce((sum, value, index) => sum + value * (frame[index] ?? 0), 0);
    for (let lag = 0; lag < lags; lag += 1)
      expect(results[side === 0 ? 0 : 1][lag]).toBeCloseTo(product(lag) / product(0), 6);
  });
});
