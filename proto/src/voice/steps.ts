import { applyKWeighting, K_OFFSET_DB } from './k-weighting.js';
import { gainTo, level, limitPeaks, measureLevel, scale, toFactor } from './loudness.js';
import { computePeaks } from './peaks.js';
import { medianPitch, trackPitch, type PitchFrame } from './pitch.js';
import { ANALYSIS_RATE } from './rates.js';
import { foldDown } from './stereo.js';

const ANALYSIS_LEVEL = { target: -24, maxGain: 46 };
const MAX_PEAK = 0.99;

/** LUFS, before the limiter. K-weighted, since the alteration moves power between bands. */
const STORED_LOUDNESS = { target: -16, maxGain: 40 };

/** Largest sample. AAC exceeds it by up to 0.4 dB. */
export const LIMIT = 0.7;
const LIMITER_TOLERANCE_DB = 1.5;
const MAX_CORRECTIONS = 4;

const MAX_SAMPLE = 32_767;

export interface LevelledSound {
  /** Mono, at the analysis rate and level. */
  samples: Float32Array;
  isSilent: boolean;
}

export interface PreparedVoice extends LevelledSound {
  /** In Hz. */
  pitch: number;
  /** Of voiced frames. */
  track: readonly PitchFrame[];
}

/** @param recorded interleaved stereo */
export function levelOut(recorded: Float32Array): LevelledSound {
  const samples = level(foldDown(recorded), ANALYSIS_RATE, ANALYSIS_LEVEL, MAX_PEAK);
  return { samples, isSilent: measureLevel(samples, ANALYSIS_RATE) === -Infinity };
}

/** @param recorded interleaved stereo */
export function prepare(recorded: Float32Array): PreparedVoice {
  const sound = levelOut(recorded);
  const track = trackPitch(sound.samples, ANALYSIS_RATE);
  return { ...sound, pitch: medianPitch(track), track };
}

/** May be heard by others. */
export interface AlteredSound {
  /** Mono, 16 bit, at the analysis rate. */
  pcm: Int16Array<ArrayBuffer>;
  /** 0 to 100. */
  peaks: number[];
}

export function finish(voice: Float32Array): AlteredSound {
  const limited = limitPeaks(scale(voice, toFactor(gainThroughLimiter(voice))), ANALYSIS_RATE, LIMIT);
  const pcm = new Int16Array(limited.length);
  for (let index = 0; index < pcm.length; index += 1) pcm[index] = Math.round((limited[index] ?? 0) * MAX_SAMPLE);
  return { pcm, peaks: computePeaks(voice) };
}

const loudnessOf = (samples: Float32Array): number =>
  K_OFFSET_DB + measureLevel(applyKWeighting(samples, ANALYSIS_RATE), ANALYSIS_RATE);

/** Iterates: the limiter cuts loud moments, which dominate the loudness, and would leave speech too quiet. */
function gainThroughLimiter(samples: Float32Array): number {
  const { target, maxGain } = STORED_LOUDNESS;
  let gain = gainTo(loudnessOf(samples), STORED_LOUDNESS);
  for (let tries = 0; tries < MAX_CORRECTIONS; tries += 1) {
    const limited = scale(samples, toFactor(gain));
    for (let index = 0; index < limited.length; index += 1)
      limited[index] = Math.min(Math.max(limited[index] ?? 0, -LIMIT), LIMIT);
    const missing = target - loudnessOf(limited);
    if (!(missing > LIMITER_TOLERANCE_DB && missing < Infinity) || gain === maxGain) break;
    gain = Math.min(gain + missing, maxGain);
  }
  return gain;
}
