import { BLOCK, drawDrift } from './blocks.js';
import type { Random } from './draw.js';
import type { PitchFrame } from './pitch.js';

/** Exponent. */
const KEPT = 0.6;

/** Natural logarithms. */
const REDRAWN = { seconds: 0.6, most: Math.log(2) / 12 };

/** Beyond that, the measurement is wrong, mostly by an octave. */
const FARTHEST = Math.log(2) / 2;

/** Smooths over so many blocks on each side, against jumps. */
const REACH = 4;

/**
 * Factors by block that flatten the melody and draw another onto it.
 * @param track pitches of voiced frames, in order
 * @param mean in Hz
 */
export function drawMelody(
  { track, mean, blocks }: { track: readonly PitchFrame[]; mean: number; blocks: number },
  random: Random,
): Float64Array {
  const pressed = new Float64Array(blocks);
  let before = { block: 0, change: 0 };
  const go = (block: number, change: number): void => {
    for (let between = before.block; between <= Math.min(block, blocks - 1); between += 1) {
      const share = block > before.block ? (between - before.block) / (block - before.block) : 1;
      pressed[between] = before.change + share * (change - before.change);
    }
    before = { block, change };
  };
  for (const { middle, hertz } of track) {
    const distance = Math.log(hertz / mean);
    go(Math.floor(middle / BLOCK), Math.abs(distance) > FARTHEST ? before.change : (KEPT - 1) * distance);
  }
  go(blocks, 0);
  const drawn = drawDrift(blocks, REDRAWN, random);
  return smoothed(pressed).map((change, block) => Math.exp(change + (drawn[block] ?? 0)));
}

function smoothed(values: Float64Array): Float64Array {
  return values.map((_, index) => {
    const near = values.subarray(Math.max(index - REACH, 0), index + REACH + 1);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
}
