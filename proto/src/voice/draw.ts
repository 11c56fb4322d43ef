import { CEPSTRA } from './cepstrum.js';
import { SPEAKER_SPREAD, TYPICAL } from './speaker-model.js';

export type VoiceType = 'male' | 'female';

/** In [0, 1). */
export type Random = () => number;

/** Helps to reverse an alteration: never stored, logged or returned. */
export interface PseudoSpeaker {
  /** As of `TypicalSpeaker`. */
  warp: number;
  /** Of the long-term spectrum. */
  mean: number[];
  /** Factor of a typical speaker's standard deviation, by coefficient. */
  swing: number[];
}

interface Target {
  hertz: number;
  /** In standard deviations of real speakers. */
  deviation: number;
  /** Maximum, as a natural logarithm. */
  swing: number;
}

/** Measured: the widest spread without a loss of intelligibility (decision 0015). */
const TARGET: Record<VoiceType, Target> = {
  male: { hertz: 118, deviation: 2, swing: 0.4 },
  female: { hertz: 190, deviation: 1.8, swing: 0.4 },
};

/** The types do not overlap. Less would leave senders of a typical pitch unchanged. */
const PITCH_SPREAD = Math.log(1.21);

/** Rarely reached: a clamped voice is linkable across messages. */
const PITCH_BOUNDS = [0.55, 1.8] as const;

/**
 * Share of the difference between typical men and women; pitch gives the rest. None crosses their middle: the farthest
 * from a woman would be heard as a man.
 */
const WARP_CONTRAST = 0.75;
const WARP_DEVIATION = 0.08;
const WARP_BOUNDS = [0.8, 1.2] as const;

type Interval = readonly [number, number];

/** A predictable draw could be reversed. */
export const secureRandom: Random = () => {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
};

const clamp = (value: number, [min, max]: Interval): number => Math.min(Math.max(value, min), max);
export const uniform = ([min, max]: Interval, random: Random): number => min + (max - min) * random();
const around = (spread: number, random: Random): number => uniform([-spread, spread], random);

/** G. E. P. Box and M. E. Muller (1958). */
const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** From a widened distribution of real speakers. */
export function drawPseudoSpeaker(voiceType: VoiceType, random: Random): PseudoSpeaker {
  const typical = TYPICAL[voiceType];
  const { deviation, swing } = TARGET[voiceType];
  const middle = (TYPICAL.male.warp + TYPICAL.female.warp) / 2;
  const beyond = WARP_CONTRAST * Math.abs(typical.warp - middle) + WARP_DEVIATION * normal(random);
  const deviates = Array.from({ length: CEPSTRA }, () => normal(random));
  return {
    warp: clamp(middle + Math.sign(typical.warp - middle) * Math.abs(beyond), WARP_BOUNDS),
    mean: typical.mean.map((mean, row) =>
      deviates
        .slice(0, row + 1)
        .reduce(
          (sum, deviate, column) => sum + deviation * (SPEAKER_SPREAD[row * CEPSTRA + column] ?? 0) * deviate,
          mean,
        ),
    ),
    swing: Array.from({ length: CEPSTRA }, () => Math.exp(around(swing, random))),
  };
}

/**
 * Moves a voice towards its type. As secret as the pseudo-speaker.
 * @param pitch in Hz
 */
export const drawPitch = (voiceType: VoiceType, pitch: number, random: Random): number =>
  clamp((TARGET[voiceType].hertz / pitch) * Math.exp(around(PITCH_SPREAD, random)), PITCH_BOUNDS);
