import { expect, test } from '@jest/globals';
import { toDecibels, meanSquare } from './loudness.js';
import { applyKWeighting, K_OFFSET_DB } from './k-weighting.js';

const SECONDS = 2;

/** Loudness of a full-scale sine in LUFS, measured after the filters settle. */
function loudnessOf(hertz: number, rate: number): number {
  const weighted = applyKWeighting(
    Float32Array.from({ length: SECONDS * rate }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / rate)),
    rate,
  );
  return K_OFFSET_DB + toDecibels(meanSquare(weighted.subarray(rate)));
}

test.each([24_000, 44_100, 48_000])(
  'a full-scale sine of 997 Hz has −3.01 LUFS at %i samples per second, as BS.1770 requires',
  (rate) => {
    expect(loudnessOf(997, rate)).toBeCloseTo(-3.01, 1);
  },
);

test.each([
  [20, -16.9],
  [100, -4.8],
  [3000, 0.2],
  [6000, 0.4],
])('weights a sine of %i Hz', (hertz, expected) => {
  expect(Math.abs(loudnessOf(hertz, 24_000) - expected)).toBeLessThan(0.2);
});
