import { ANALYSIS_RATE } from './arguments.js';
import { TRANSFORM_RATE } from './draw.js';
import { K_OFFSET_DB, weigh } from './k-weighting.js';
import { gainTowards, level, measureLevel, toFactor } from './loudness.js';
import { bendFormants } from './mcadams.js';
import { outline } from './peaks.js';
import { estimatePitch } from './pitch.js';

const ANALYSIS_LEVEL = { target: -24, mostGain: 46 };
const MOST_PEAK = 0.99;

/** In LUFS, before the limiter takes what it takes. The draw's equalizer moves power between bands, so that it is what is heard that is levelled. */
const STORED_LOUDNESS = { target: -16, mostGain: 40 };

/** Of the limiter that encodes, in `encodeArguments`. */
const LIMIT = 0.8;
const LIMITER_MAY_TAKE_DB = 1.5;
const MOST_CORRECTIONS = 4;

export interface BendTask {
  /** Mono, in floats, at the analysis rate. */
  samples: Float32Array;
  alpha: number;
}

export interface BendResult {
  samples: Float32Array;
  /** Of the voice as it was, in Hz. */
  pitch: number;
  /** Whether nothing in it is loud enough to be heard. */
  isSilent: boolean;
}

/** Brings a recording to a level, finds the pitch of its voice, and moves the formants. */
export function bend({ samples, alpha }: BendTask): BendResult {
  const levelled = level(samples.map(bounded), ANALYSIS_RATE, ANALYSIS_LEVEL, MOST_PEAK);
  return {
    samples: bendFormants(levelled, ANALYSIS_RATE, alpha),
    pitch: estimatePitch(levelled, ANALYSIS_RATE),
    isSilent: measureLevel(levelled, ANALYSIS_RATE) === -Infinity,
  };
}

export interface MeasureResult {
  /** That brings the sound to the level at which it is kept, in dB. */
  gain: number;
  peaks: number[];
}

/** Measures PCM in 16 bits, mono, at the transform rate. */
export function measure(pcm: Int16Array): MeasureResult {
  const samples = new Float32Array(pcm).map((sample) => sample / 32_768);
  return { gain: gainThroughLimiter(samples), peaks: outline(samples) };
}

const loudnessOf = (samples: Float32Array): number =>
  K_OFFSET_DB + measureLevel(weigh(samples, TRANSFORM_RATE), TRANSFORM_RATE);

/**
 * The gain with which the sound is as loud as it should be behind the limiter. Where a moment stands far above the rest, the
 * level is that moment's; the limiter then takes it away, and the words would be left too quiet.
 */
function gainThroughLimiter(samples: Float32Array): number {
  const { target, mostGain } = STORED_LOUDNESS;
  let gain = gainTowards(loudnessOf(samples), STORED_LOUDNESS);
  for (let tries = 0; tries < MOST_CORRECTIONS; tries += 1) {
    const factor = toFactor(gain);
    const missing = target - loudnessOf(samples.map((sample) => Math.min(Math.max(sample * factor, -LIMIT), LIMIT)));
    if (!(missing > LIMITER_MAY_TAKE_DB && missing < Infinity) || gain === mostGain) break;
    gain = Math.min(gain + missing, mostGain);
  }
  return gain;
}

/** A recording in floats can hold anything, infinities and what is no number included. */
const bounded = (sample: number): number => (Number.isNaN(sample) ? 0 : Math.min(Math.max(sample, -1), 1));
