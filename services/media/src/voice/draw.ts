import { randomInt } from 'node:crypto';

export type VoiceType = 'male' | 'female';

/** A number in [0, 1). */
export type Random = () => number;

/** Parameters of one alteration. They would help to reverse it, so they are never stored, logged or returned. */
export interface Transformation {
  /** Playback rate of 24 kHz samples, which shifts the formants: 24 000 times the formant ratio. */
  playedRate: number;
  /** The tempo option of rubberband. */
  tempo: number;
  pitch: number;
  /** Equalizer gains in dB, from the lowest band to the highest. */
  gains: number[];
}

export const TRANSFORM_RATE = 24_000;

const TARGET_HZ: Record<VoiceType, number> = { male: 128, female: 195 };
const TARGET_SPREAD = Math.log(1.1);

const FORMANT_EXPONENT = 0.35;
const FORMANT_BASE = [0.86, 1.16] as const;
const FORMANT_SPREAD = 1.18;
const FORMANT_BOUNDS = [0.79, 1.24] as const;
/** Smallest absolute logarithm of the formant ratio. A ratio nearer to 1 would keep the sender's own formants. */
const FORMANT_GAP = 0.075;

/**
 * Below this absolute logarithm of the base ratio the pitch is near the target, and only formants convey the voice
 * type.
 */
const NEAR_TARGET = 0.1;
const NEAR_TARGET_SHARE = 0.75;

const PITCH_EXPONENT = 0.8;
/** Outside this range rubberband smears the preserved formants. */
const PITCH_BOUNDS = [0.75, 1.3] as const;

/** At most 1, so that no message gets shorter. */
const TEMPO_BOUNDS = [0.94, 1] as const;
const BANDS = 7;
const GAIN_DB = 8;

const BEND_PARTS = [
  [0.86, 0.95],
  [1.05, 1.16],
] as const;

type Interval = readonly [number, number];

const RESOLUTION = 2 ** 47;

/** Cryptographically secure, because a predictable draw could be reversed. */
export const secureRandom: Random = () => randomInt(RESOLUTION) / RESOLUTION;

const clamp = (value: number, [min, max]: Interval): number => Math.min(Math.max(value, min), max);
const uniform = ([min, max]: Interval, random: Random): number => min + (max - min) * random();
const lengthOf = ([min, max]: Interval): number => Math.max(0, max - min);

/** Uniform over the union of the intervals. */
function uniformOverAll(intervals: readonly Interval[], random: Random): number {
  let rest = random() * intervals.reduce((sum, interval) => sum + lengthOf(interval), 0);
  for (const interval of intervals) {
    const length = lengthOf(interval);
    if (rest < length) return interval[0] + rest;
    rest -= length;
  }
  return intervals.at(-1)?.[1] ?? Number.NaN;
}

/** Draws a McAdams coefficient. Never near 1, which would change nothing. */
export const drawBend = (random: Random = secureRandom): number => uniformOverAll(BEND_PARTS, random);

/**
 * Draws parameters that move a voice to the target of its type, differently each time.
 * @param pitch of the recorded voice, in Hz
 */
export function drawTransformation(voiceType: VoiceType, pitch: number, random: Random = secureRandom): Transformation {
  const target = TARGET_HZ[voiceType] * Math.exp(uniform([-TARGET_SPREAD, TARGET_SPREAD], random));
  const ratio = target / pitch;
  const playedRate = Math.floor(TRANSFORM_RATE * drawFormantRatio(voiceType, ratio, random));
  const formantRatio = playedRate / TRANSFORM_RATE;
  return {
    playedRate,
    tempo: uniform(TEMPO_BOUNDS, random) / formantRatio,
    pitch: clamp(ratio ** PITCH_EXPONENT / formantRatio, PITCH_BOUNDS),
    gains: Array.from({ length: BANDS }, () => uniform([-GAIN_DB, GAIN_DB], random)),
  };
}

function drawFormantRatio(voiceType: VoiceType, pitchRatio: number, random: Random): number {
  const base = Math.log(clamp(pitchRatio ** FORMANT_EXPONENT, FORMANT_BASE));
  const spread = Math.log(FORMANT_SPREAD);
  const [min, max] = FORMANT_BOUNDS.map(Math.log) as [number, number];
  const below: Interval = [Math.max(min, base - spread), Math.min(-FORMANT_GAP, base + spread)];
  const above: Interval = [Math.max(FORMANT_GAP, base - spread), Math.min(max, base + spread)];
  const ofType = voiceType === 'female' ? above : below;
  const useTypeOnly = Math.abs(base) < NEAR_TARGET && lengthOf(ofType) > 0 && random() < NEAR_TARGET_SHARE;
  return Math.exp(uniformOverAll(useTypeOnly ? [ofType] : [below, above], random));
}
