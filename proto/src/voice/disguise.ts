import { cepstralBasisAt, CEPSTRA, readingAt } from './cepstrum.js';
import { convertSpeaker, measureVoice, type MeasuredVoice } from './conversion.js';
import { drawPitch, drawPseudoSpeaker, type PseudoSpeaker, type Random, type VoiceType } from './draw.js';
import { meanSquare } from './loudness.js';

/** Speakers that are drawn, of whom one is taken. */
export const DRAWS = 9;

/** Bands in which long-term spectra are compared. */
const BANDS = 24;
const LOWEST_HZ = 100;
const HIGHEST_HZ = 4000;
const CENTRES = Array.from(
  { length: BANDS },
  (_, band) => LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ) ** ((band + 0.5) / BANDS),
);

/** A difference of so many decibels counts as much as one of so many semitones of pitch, or as such a factor of the vocal tract. */
const DECIBELS = 4;
const SEMITONES = 3;
const TRACT = 1.18;

const DECIBELS_PER_NEPER = 10 / Math.LN10;

export interface Disguise {
  voiceType: VoiceType;
  /** Pitch of the recorded voice, in Hz. */
  pitch: number;
  /** Factors of the pitch for every block, beside the one that is drawn. */
  melody: Float64Array;
  /** A predictable one would let the alteration be reversed. */
  random: Random;
}

export interface DisguisedVoice {
  /** As many as came in, at the same power. They sound right after the pitch has changed. */
  samples: Float32Array;
  /** Factors of all frequencies for every block, which are still to come. */
  pitches: Float64Array;
}

/** A drawn speaker with a drawn factor of the pitch. */
export interface Draw {
  speaker: PseudoSpeaker;
  pitch: number;
}

/** Draws several invented speakers and gives a recording the voice of the one who ends farthest from the sender. */
export function disguise(samples: Float32Array, { voiceType, pitch, melody, random }: Disguise): DisguisedVoice {
  const factors = (drawn: number): Float64Array => melody.map((factor) => factor * drawn);
  if (meanSquare(samples) === 0) return { samples, pitches: factors(drawPitch(voiceType, pitch, random)) };
  const voice = measureVoice(samples);
  const distanceTo = createDistance(voice);
  const drawn = Array.from({ length: DRAWS }, () => {
    const draw = { speaker: drawPseudoSpeaker(voiceType, random), pitch: drawPitch(voiceType, pitch, random) };
    return { ...draw, distance: distanceTo(draw) };
  });
  const taken = drawn.reduce((farthest, other) => (other.distance > farthest.distance ? other : farthest));
  const pitches = factors(taken.pitch);
  return { samples: convertSpeaker(voice, { speaker: taken.speaker, formantRatios: pitches }), pitches };
}

/** Measures how far from the sender a recording ends with a drawn speaker, by long-term spectrum, pitch and vocal tract. */
export function createDistance({ longTerm, warp, mean }: MeasuredVoice): (draw: Draw) => number {
  const readAt = (hertz: readonly number[]): number[] => {
    const { bins, shares } = readingAt(hertz);
    return hertz.map((_, index) => {
      const bin = bins[index] ?? 0;
      const below = longTerm[bin] ?? 0;
      return below + ((longTerm[bin + 1] ?? 0) - below) * (shares[index] ?? 0);
    });
  };
  const own = readAt(CENTRES);

  return ({ speaker, pitch }) => {
    const basis = cepstralBasisAt(CENTRES.map((hertz) => hertz / speaker.warp));
    const differences = readAt(CENTRES.map((hertz) => (hertz * warp) / speaker.warp)).map((moved, band) => {
      let sum = moved - (own[band] ?? 0);
      for (let order = 0; order < CEPSTRA; order += 1)
        sum += ((speaker.mean[order] ?? 0) - (mean[order] ?? 0)) * (basis[order * BANDS + band] ?? 0);
      return sum;
    });
    const level = differences.reduce((sum, value) => sum + value, 0) / BANDS;
    const squares = differences.reduce((sum, value) => sum + (value - level) ** 2, 0);
    const decibels = DECIBELS_PER_NEPER * Math.sqrt(squares / BANDS);
    const tract = Math.abs(Math.log(speaker.warp / warp)) / Math.log(TRACT);
    return decibels / DECIBELS + (12 * Math.abs(Math.log2(pitch))) / SEMITONES + tract;
  };
}
