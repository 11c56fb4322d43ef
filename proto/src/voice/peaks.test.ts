import { expect, test } from '@jest/globals';
import { computePeaks, PEAK_COUNT } from './peaks.js';

test('shows a sound of growing volume as rising peaks up to 100', () => {
  const peaks = computePeaks(
    Float32Array.from({ length: 6400 }, (_, index) => (index % 2 === 0 ? 1 : -1) * (index / 12_800)),
  );
  expect(peaks).toHaveLength(PEAK_COUNT);
  expect(peaks).toEqual(peaks.toSorted((a, b) => a - b));
  expect([peaks[0], peaks[31], peaks[63]]).toEqual([2, 50, 100]);
});

test.each([
  ['silence', new Float32Array(1000)],
  ['nothing', new Float32Array(0)],
])('shows %s as a flat line', (_name, samples) => {
  expect(computePeaks(samples)).toEqual(Array.from({ length: PEAK_COUNT }, () => 0));
});

test('returns the full number of peaks for a sound with fewer samples', () => {
  expect(computePeaks(Float32Array.of(1, -0.5))).toHaveLength(PEAK_COUNT);
});
