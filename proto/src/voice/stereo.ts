import { meanSquare } from './loudness.js';
import { ANALYSIS_RATE } from './rates.js';

export const CHANNELS = 2;

const BLOCK = ANALYSIS_RATE / 20;

type Channels = [left: Float32Array<ArrayBuffer>, right: Float32Array<ArrayBuffer>, mean: Float32Array<ArrayBuffer>];

/** Relative to the loudest block. */
const QUIET = 1e-3;

/** Remaining power of cancelled channels. Unrelated ones keep half. */
const CANCELLED = 1 / 16;

/** The mean of both channels, or the louder one if the mean would cancel speech (wrong polarity). */
export function foldDown(stereo: Float32Array): Float32Array {
  const [left, right, mean] = [0, 1, 2].map(() => new Float32Array(stereo.length / CHANNELS)) as Channels;
  for (let index = 0; index < mean.length; index += 1) {
    const one = bounded(stereo[CHANNELS * index] ?? 0);
    const other = bounded(stereo[CHANNELS * index + 1] ?? 0);
    left[index] = one;
    right[index] = other;
    mean[index] = (one + other) / 2;
  }
  const [ofLeft, ofRight] = [powerOfBlocks(left), powerOfBlocks(right)];
  const loudest = ofLeft.map((power, block) => Math.max(power, ofRight[block] ?? 0));
  const threshold = QUIET * loudest.reduce((one, other) => Math.max(one, other), 0);
  const isCancelled = powerOfBlocks(mean).some((power, block) => {
    const before = loudest[block] ?? 0;
    return before > threshold && power < CANCELLED * before;
  });
  if (!isCancelled) return mean;
  return sumOf(ofLeft) >= sumOf(ofRight) ? left : right;
}

/** Float recordings may hold NaN and infinities. */
const bounded = (sample: number): number => (Number.isNaN(sample) ? 0 : Math.min(Math.max(sample, -1), 1));

const sumOf = (powers: number[]): number => powers.reduce((sum, power) => sum + power, 0);

function powerOfBlocks(samples: Float32Array): number[] {
  const powers: number[] = [];
  for (let start = 0; start < samples.length; start += BLOCK)
    powers.push(meanSquare(samples.subarray(start, start + BLOCK)));
  return powers;
}
