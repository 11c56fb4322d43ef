import { BLOCK, blocksIn, drawDrift, endsOf, placesBefore } from './blocks.js';
import { uniform, type Random } from './draw.js';
import { meanSquare } from './loudness.js';
import { ANALYSIS_RATE } from './rates.js';

/** Seconds. Shorter ones belong to a sound, as before a plosive. */
const SHORTEST_PAUSE = 0.2;
const LONGEST_PAUSE = 0.6;

/** Share of the duration of speech. */
const DRIFT = { seconds: 1, most: 0.08 };

/** Maximum length, relative to the recording. */
export const LONGEST_STRETCH = 1 + DRIFT.most;

/** Quiet is more than 32 dB below loud blocks. */
const LOUD_PERCENTILE = 0.95;
const QUIET_BELOW_LOUD = 10 ** -3.2;

/** As secret as the pseudo-speaker. */
export interface Rhythm {
  /** In samples. */
  length: number;
  /** Source of a sample. Never decreases. */
  placeOf: (index: number) => number;
}

/** A drifting tempo, and pauses that lose their middle. Speech never gets shorter, so only pauses are cut. */
export function drawRhythm(samples: Float32Array, random: Random): Rhythm {
  const drift = drawDrift(blocksIn(samples), DRIFT, random);
  const lengths = drift.map(() => 1);
  const isPause = new Set<number>();
  for (const { from, to } of pausesOf(samples)) {
    const longest = Math.min(((to - from) * BLOCK) / ANALYSIS_RATE, LONGEST_PAUSE);
    const kept = Math.round((uniform([SHORTEST_PAUSE, longest], random) * ANALYSIS_RATE) / BLOCK);
    const before = from + Math.ceil(kept / 2);
    lengths.fill(0, before, before + to - from - kept);
    for (let block = from; block < to; block += 1) isPause.add(block);
  }
  const speech = drift.map((change, block) => (isPause.has(block) ? 0 : change));
  // The mirrored drift is as likely, and gains what this one loses.
  const side = Math.sign(speech.reduce((sum, change) => sum + change, 0)) || 1;
  const ends = endsOf(lengths.map((length, block) => BLOCK * (length + side * (speech[block] ?? 0))));
  const placeOf = placesBefore(ends);
  const missing = lengths.length * BLOCK - samples.length;
  return {
    length: Math.round((ends.at(-1) ?? 0) - missing * (lengths.at(-1) ?? 0)),
    placeOf: (index) => Math.min(placeOf(index), samples.length),
  };
}

function pausesOf(samples: Float32Array): { from: number; to: number }[] {
  const powers = Float64Array.from({ length: blocksIn(samples) }, (_, block) =>
    meanSquare(samples.subarray(block * BLOCK, (block + 1) * BLOCK)),
  );
  const loud = powers.slice().sort()[Math.floor(LOUD_PERCENTILE * (powers.length - 1))] ?? 0;
  const pauses: { from: number; to: number }[] = [];
  let from = 0;
  for (let block = 0; block <= powers.length; block += 1) {
    if ((powers[block] ?? Infinity) < loud * QUIET_BELOW_LOUD) continue;
    if ((block - from) * BLOCK >= SHORTEST_PAUSE * ANALYSIS_RATE) pauses.push({ from, to: block });
    from = block + 1;
  }
  return pauses;
}
