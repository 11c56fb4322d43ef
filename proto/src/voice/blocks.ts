import { uniform, type Random } from './draw.js';
import { ANALYSIS_RATE } from './rates.js';

/** Samples per block of timing and melody. */
export const BLOCK = ANALYSIS_RATE / 100;

export const blocksIn = (samples: Float32Array): number => Math.ceil(samples.length / BLOCK);

/** Per block, from −most to most: drawn at intervals, interpolated between. */
export function drawDrift(blocks: number, drift: { seconds: number; most: number }, random: Random): Float64Array {
  const every = (drift.seconds * ANALYSIS_RATE) / BLOCK;
  const drawn = Array.from({ length: Math.ceil(blocks / every) + 1 }, () => uniform([-drift.most, drift.most], random));
  return Float64Array.from({ length: blocks }, (_, block) => {
    const before = Math.floor(block / every);
    const share = (1 - Math.cos((Math.PI * (block % every)) / every)) / 2;
    return (1 - share) * (drawn[before] ?? 0) + share * (drawn[before + 1] ?? 0);
  });
}

/** Cumulative sums, from 0. */
export function endsOf(lengths: Float64Array): Float64Array {
  const ends = new Float64Array(lengths.length + 1);
  lengths.forEach((length, block) => {
    ends[block + 1] = (ends[block] ?? 0) + length;
  });
  return ends;
}

/** Maps a place to the new ends of its block. */
export function placeAfter(ends: Float64Array, place: number): number {
  const block = Math.min(Math.floor(place / BLOCK), ends.length - 2);
  const start = ends[block] ?? 0;
  return start + ((ends[block + 1] ?? 0) - start) * (place / BLOCK - block);
}

/** The inverse. Fast for ascending places. */
export function placesBefore(ends: Float64Array): (place: number) => number {
  let block = 0;
  return (place) => {
    if ((ends[block] ?? 0) > place) block = 0;
    while (block < ends.length - 2 && (ends[block + 1] ?? 0) <= place) block += 1;
    const start = ends[block] ?? 0;
    const length = (ends[block + 1] ?? 0) - start;
    return BLOCK * (block + (length > 0 ? Math.min((place - start) / length, 1) : 0));
  };
}
