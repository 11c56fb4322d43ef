import { expect, test } from '@jest/globals';
import { toDecibels, meanSquare } from './loudness.js';
import { K_OFFSET_DB, weigh } from './k-weighting.js';

const SECONDS = 2;

/** In LUFS, of a sine at full scale, without its beginning. */
function loudnessOf(hertz: number, rate: number): number {
  const weighted = weigh(
    Float32Array.from({ length: SECONDS * rate }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / rate)),
    rate,
  );
  return K_OFFSET_DB + toDecibels(meanSquare(weighted.subarray(rate)));
}

test.each([24_000, 44_100, 48_000])(
  'a sine of 997 Hz at full scale has the −3.01 LUFS of the recommendation, at %i samples a second',
  (rate) => {
    expect(loudnessOf(997, rate)).toBeCloseTo(-3.01, 1);
  },
);

test.each([
  [20, -16.9],
  [100, -4.8],
  [3000, 0.2],
  [6000, 0.4],
])('a sine of %i Hz is as loud as it is heard', (hertz, expected) => {
  expect(Math.abs(loudnessOf(hertz, 24_000) - expected)).toBeLessThan(0.2);
});
