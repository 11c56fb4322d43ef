import { randomInt } from 'node:crypto';

export type VoiceType = 'male' | 'female';

/** A number from 0 up to and without 1. */
export type Random = () => number;

/** What one message's voice is turned into. Whoever knows the values could come close to undoing it: they are never kept, logged or told. */
export interface Transformation {
  /** The rate at which samples of 24 kHz are played, which moves the formants: 24 000 times their ratio. */
  playedRate: number;
  /** Of the stretching that follows, as rubberband takes it. */
  tempo: number;
  pitch: number;
  /** In dB, of the bands of the equalizer, from low to high. */
  gains: number[];
}

export const TRANSFORM_RATE = 24_000;

const TARGET_HZ: Record<VoiceType, number> = { male: 128, female: 195 };
const TARGET_SPREAD = Math.log(1.1);

const FORMANT_EXPONENT = 0.35;
const FORMANT_BASE = [0.86, 1.16] as const;
const FORMANT_SPREAD = 1.18;
const FORMANT_BOUNDS = [0.79, 1.24] as const;
/** In the logarithm: a formant ratio nearer to one would leave the sender's own vocal tract. */
const FORMANT_GAP = 0.075;

/** A sender whose pitch is within this of the target, in the logarithm of the base, is heard as the chosen type by the formants alone. */
const NEAR_TARGET = 0.1;
const NEAR_TARGET_SHARE = 0.75;

const PITCH_EXPONENT = 0.8;
/** Outside of it, rubberband's preserved formants slur. */
const PITCH_BOUNDS = [0.75, 1.3] as const;

/** Slower, and never faster: no message gets shorter. */
const TEMPO_BOUNDS = [0.94, 1] as const;
const BANDS = 7;
const GAIN_DB = 8;

const BEND_PARTS = [
  [0.86, 0.95],
  [1.05, 1.16],
] as const;

type Interval = readonly [number, number];

const RESOLUTION = 2 ** 47;

/** From the system's generator of secrets, without a seed that anybody could know. */
export const secretRandom: Random = () => randomInt(RESOLUTION) / RESOLUTION;

const clamp = (value: number, [least, most]: Interval): number => Math.min(Math.max(value, least), most);
const within = ([least, most]: Interval, random: Random): number => least + (most - least) * random();
const lengthOf = ([least, most]: Interval): number => Math.max(0, most - least);

/** Uniform over the intervals taken together. */
function withinAny(intervals: readonly Interval[], random: Random): number {
  let rest = random() * intervals.reduce((sum, interval) => sum + lengthOf(interval), 0);
  for (const interval of intervals) {
    const length = lengthOf(interval);
    if (rest < length) return interval[0] + rest;
    rest -= length;
  }
  return intervals.at(-1)?.[1] ?? Number.NaN;
}

/** The McAdams coefficient of one message, never near one, which would change nothing. */
export const drawBend = (random: Random = secretRandom): number => withinAny(BEND_PARTS, random);

/**
 * Draws what a voice of a certain pitch is turned into: every voice is sent to the same place, by another way each time.
 * @param pitch of the voice as it is, in Hz
 */
export function drawTransformation(voiceType: VoiceType, pitch: number, random: Random = secretRandom): Transformation {
  const target = TARGET_HZ[voiceType] * Math.exp(within([-TARGET_SPREAD, TARGET_SPREAD], random));
  const ratio = target / pitch;
  const playedRate = Math.floor(TRANSFORM_RATE * drawFormantRatio(voiceType, ratio, random));
  const formantRatio = playedRate / TRANSFORM_RATE;
  return {
    playedRate,
    tempo: within(TEMPO_BOUNDS, random) / formantRatio,
    pitch: clamp(ratio ** PITCH_EXPONENT / formantRatio, PITCH_BOUNDS),
    gains: Array.from({ length: BANDS }, () => within([-GAIN_DB, GAIN_DB], random)),
  };
}

function drawFormantRatio(voiceType: VoiceType, pitchRatio: number, random: Random): number {
  const base = Math.log(clamp(pitchRatio ** FORMANT_EXPONENT, FORMANT_BASE));
  const spread = Math.log(FORMANT_SPREAD);
  const [least, most] = FORMANT_BOUNDS.map(Math.log) as [number, number];
  const below: Interval = [Math.max(least, base - spread), Math.min(-FORMANT_GAP, base + spread)];
  const above: Interval = [Math.max(FORMANT_GAP, base - spread), Math.min(most, base + spread)];
  const ofType = voiceType === 'female' ? above : below;
  const onlyOfType = Math.abs(base) < NEAR_TARGET && lengthOf(ofType) > 0 && random() < NEAR_TARGET_SHARE;
  return Math.exp(withinAny(onlyOfType ? [ofType] : [below, above], random));
}
