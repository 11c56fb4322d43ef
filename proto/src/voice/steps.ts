import { disguise, type DisguisedVoice } from './disguise.js';
import { secureRandom, type VoiceType } from './draw.js';
import { applyKWeighting, K_OFFSET_DB } from './k-weighting.js';
import { gainTo, level, measureLevel, toFactor } from './loudness.js';
import { computePeaks } from './peaks.js';
import { estimatePitch } from './pitch.js';
import { ANALYSIS_RATE, TRANSFORM_RATE } from './rates.js';
import { foldDown } from './stereo.js';

const ANALYSIS_LEVEL = { target: -24, maxGain: 46 };
const MAX_PEAK = 0.99;

/** In LUFS, before the limiter. K-weighted, because the alteration moves power between bands. */
const STORED_LOUDNESS = { target: -16, maxGain: 40 };

/** Largest sample of an altered voice. */
export const LIMIT = 0.8;
const LIMITER_TOLERANCE_DB = 1.5;
const MAX_CORRECTIONS = 4;

export interface LevelledSound {
  /** Mono, at the analysis rate and level. */
  samples: Float32Array;
  /** True if nothing is audible. */
  isSilent: boolean;
}

export interface PreparedVoice extends LevelledSound {
  /** Pitch of the recorded voice, in Hz. */
  pitch: number;
}

/** Folds a recording down to mono and normalises its level. @param recorded interleaved stereo */
export function levelOut(recorded: Float32Array): LevelledSound {
  const samples = level(foldDown(recorded.map(bounded)), ANALYSIS_RATE, ANALYSIS_LEVEL, MAX_PEAK);
  return { samples, isSilent: measureLevel(samples, ANALYSIS_RATE) === -Infinity };
}

/** Prepares a recording for its alteration, for which its pitch has to be known. @param recorded interleaved stereo */
export function prepare(recorded: Float32Array): PreparedVoice {
  const sound = levelOut(recorded);
  return { ...sound, pitch: estimatePitch(sound.samples, ANALYSIS_RATE) };
}

export interface ConversionTask {
  samples: Float32Array;
  voiceType: VoiceType;
  /** Pitch of the recorded voice, in Hz. */
  pitch: number;
}

/** Gives a prepared recording the voice of an invented speaker. Rubberband then shifts the pitch and keeps the formants. */
export const convert = ({ samples, voiceType, pitch }: ConversionTask): DisguisedVoice =>
  disguise(samples, {
    voiceType,
    pitch,
    random: secureRandom,
    formantRatioOf: ({ playedRate }) => playedRate / TRANSFORM_RATE,
  });

export interface MeasureResult {
  /** Gain in dB that brings the sound to the stored loudness. */
  gain: number;
  peaks: number[];
}

/** Measures 16-bit mono PCM at the transform rate. */
export function measure(pcm: Int16Array): MeasureResult {
  const samples = new Float32Array(pcm).map((sample) => sample / 32_768);
  return { gain: gainThroughLimiter(samples, TRANSFORM_RATE), peaks: computePeaks(samples) };
}

const loudnessOf = (samples: Float32Array, sampleRate: number): number =>
  K_OFFSET_DB + measureLevel(applyKWeighting(samples, sampleRate), sampleRate);

/**
 * The gain that gives the target loudness after the limiter. A short loud moment dominates the measured loudness; the
 * limiter then cuts it and leaves the speech too quiet, so the gain is corrected for the limited signal.
 */
export function gainThroughLimiter(samples: Float32Array, sampleRate: number): number {
  const { target, maxGain } = STORED_LOUDNESS;
  let gain = gainTo(loudnessOf(samples, sampleRate), STORED_LOUDNESS);
  for (let tries = 0; tries < MAX_CORRECTIONS; tries += 1) {
    const factor = toFactor(gain);
    const limited = samples.map((sample) => Math.min(Math.max(sample * factor, -LIMIT), LIMIT));
    const missing = target - loudnessOf(limited, sampleRate);
    if (!(missing > LIMITER_TOLERANCE_DB && missing < Infinity) || gain === maxGain) break;
    gain = Math.min(gain + missing, maxGain);
  }
  return gain;
}

/** A float recording can hold any value, including NaN and infinities. */
const bounded = (sample: number): number => (Number.isNaN(sample) ? 0 : Math.min(Math.max(sample, -1), 1));
