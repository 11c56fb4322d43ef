import { cepstralBasisAt, CEPSTRA, readingAt } from './cepstrum.js';
import { convertSpeaker, measureVoice, type MeasuredVoice } from './conversion.js';
import { drawPitch, drawPseudoSpeaker, type PseudoSpeaker, type Random, type VoiceType } from './draw.js';
import { meanSquare } from './loudness.js';

/** Drawn speakers, of which one is used. */
export const DRAWS = 9;

/** For comparing long-term spectra. */
const BANDS = 24;
const LOWEST_HZ = 100;
const HIGHEST_HZ = 4000;
const CENTRES = Array.from(
  { length: BANDS },
  (_, band) => LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ) ** ((band + 0.5) / BANDS),
);

/** Equivalent differences: decibels, semitones of pitch, factor of the vocal tract. */
const DECIBELS = 4;
const SEMITONES = 3;
const TRACT = 1.18;

const DECIBELS_PER_NEPER = 10 / Math.LN10;

export interface Disguise {
  voiceType: VoiceType;
  /** In Hz. */
  pitch: number;
  /** Factors of the pitch by block, applied to the drawn one. */
  melody: Float64Array;
  /** If predictable, the alteration could be reversed. */
  random: Random;
}

export interface DisguisedVoice {
  /** Same length and power. To be shifted by `pitches`. */
  samples: Float32Array;
  /** By block, still to be applied. */
  pitches: Float64Array;
}

export interface Draw {
  speaker: PseudoSpeaker;
  pitch: number;
}

/** Draws speakers and converts to the one farthest from the sender. */
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

/** Distance from the sender by long-term spectrum, pitch and vocal tract. */
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
