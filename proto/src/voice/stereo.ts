import { meanSquare } from './loudness.js';
import { ANALYSIS_RATE } from './rates.js';

/** Channels of a decoded recording. */
export const CHANNELS = 2;

const BLOCK = ANALYSIS_RATE / 20;

type Channels = [left: Float32Array<ArrayBuffer>, right: Float32Array<ArrayBuffer>, mean: Float32Array<ArrayBuffer>];

/** A block this far below the loudest one is no speech. */
const QUIET = 1e-3;

/** A sound of which less than this is left has been cancelled. Unrelated channels keep half of it. */
const CANCELLED = 1 / 16;

/**
 * Folds interleaved stereo down to mono: to the mean of both channels, or to the louder channel if the mean would cancel
 * speech, as with a cable or a microphone of the wrong polarity.
 */
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

/** A float recording can hold any value, including NaN and infinities. */
const bounded = (sample: number): number => (Number.isNaN(sample) ? 0 : Math.min(Math.max(sample, -1), 1));

const sumOf = (powers: number[]): number => powers.reduce((sum, power) => sum + power, 0);

function powerOfBlocks(samples: Float32Array): number[] {
  const powers: number[] = [];
  for (let start = 0; start < samples.length; start += BLOCK)
    powers.push(meanSquare(samples.subarray(start, start + BLOCK)));
  return powers;
}
