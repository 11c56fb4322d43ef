import { ANALYSIS_RATE } from './arguments.js';
import { TRANSFORM_RATE } from './draw.js';
import { K_OFFSET_DB, weigh } from './k-weighting.js';
import { gainTowards, level, measureLevel } from './loudness.js';
import { bendFormants } from './mcadams.js';
import { outline } from './peaks.js';
import { estimatePitch } from './pitch.js';

const ANALYSIS_LEVEL = { target: -24, mostGain: 46 };
const MOST_PEAK = 0.99;

/** In LUFS, before the limiter takes what it takes. The draw's equalizer moves power between bands, so that it is what is heard that is levelled. */
const STORED_LOUDNESS = { target: -16, mostGain: 40 };

export interface BendTask {
  /** Mono, in floats, at the analysis rate. */
  samples: Float32Array;
  alpha: number;
}

export interface BendResult {
  samples: Float32Array;
  /** Of the voice as it was, in Hz. */
  pitch: number;
}

/** Brings a recording to a level, finds the pitch of its voice, and moves the formants. */
export function bend({ samples, alpha }: BendTask): BendResult {
  const levelled = level(samples.map(bounded), ANALYSIS_RATE, ANALYSIS_LEVEL, MOST_PEAK);
  return { samples: bendFormants(levelled, ANALYSIS_RATE, alpha), pitch: estimatePitch(levelled, ANALYSIS_RATE) };
}

export interface MeasureResult {
  /** That brings the sound to the level at which it is kept, in dB. */
  gain: number;
  peaks: number[];
}

/** Measures PCM in 16 bits, mono, at the transform rate. */
export function measure(pcm: Int16Array): MeasureResult {
  const samples = new Float32Array(pcm).map((sample) => sample / 32_768);
  const loudness = K_OFFSET_DB + measureLevel(weigh(samples, TRANSFORM_RATE), TRANSFORM_RATE);
  return { gain: gainTowards(loudness, STORED_LOUDNESS), peaks: outline(samples) };
}

/** A recording in floats can hold anything, infinities and what is no number included. */
const bounded = (sample: number): number => (Number.isNaN(sample) ? 0 : Math.min(Math.max(sample, -1), 1));
