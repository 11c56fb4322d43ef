import { BLOCK } from './blocks.js';
import { cepstralBasis, CEPSTRA, createCepstrum, hertzOf, readingAt, type Cepstrum, type Reading } from './cepstrum.js';
import type { PseudoSpeaker } from './draw.js';
import { BINS, FRAME, measureEnvelopes, padToFrames, STEP, type Envelopes } from './envelope.js';
import { createFft } from './fft.js';
import { meanSquare, scale } from './loudness.js';
import { TYPICAL_DEVIATION } from './speaker-model.js';
import { estimateWarp, longTermEnvelope } from './vocal-tract.js';
import { hannWindow } from './window.js';

/** RMS in training. */
const MODEL_LEVEL = 0.06;

/** Natural logarithm of power: 25 dB. */
const MAX_CHANGE = 2.5 * Math.LN10;

/** A larger factor would turn the noise of a tone into speech. */
const MAX_SWING = 2;

/** Keeps empty frames above zero power. */
const POWER_FLOOR = 1e-6;

/** Smooths levels over neighbouring frames, against flutter. */
const LEVEL_WEIGHTS = [1 / 12, 1 / 4, 1 / 3, 1 / 4, 1 / 12];
const LEVEL_REACH = 2;

/** Sum of squared Hann windows that overlap four times. */
const OVERLAP = 2;

/** Frames delayed until later levels are known. */
const WAITING = 4;

export interface Conversion {
  speaker: PseudoSpeaker;
  /** By block: later factors of all frequencies, compensated here. */
  formantRatios: Float64Array;
}

/** The same for every draw. */
export interface MeasuredVoice {
  /** Input samples. */
  length: number;
  /** Input mean square, above 0. */
  power: number;
  padded: Float32Array;
  envelopes: Envelopes;
  /** Mean logarithmic envelope of speech, by bin. */
  longTerm: Float64Array;
  /** The sender's vocal tract. */
  warp: number;
  /** Cepstrum of the long-term envelope, with the vocal tract normalised. */
  mean: Float64Array;
  /** Of each coefficient in speech. */
  deviation: Float64Array;
}

/** @param samples not silent */
export function measureVoice(samples: Float32Array): MeasuredVoice {
  const power = meanSquare(samples);
  const padded = padToFrames(samples, MODEL_LEVEL / Math.sqrt(power));
  const envelopes = measureEnvelopes(padded);
  const longTerm = longTermEnvelope(envelopes);
  const warp = estimateWarp(envelopes);
  const cepstrum = createCepstrum(warp);
  const mean = new Float64Array(CEPSTRA);
  cepstrum(longTerm, 0, mean, 0);
  const deviation = deviationOf(envelopes, cepstrum, mean);
  return { length: samples.length, power, padded, envelopes, longTerm, warp, mean, deviation };
}

function deviationOf({ values, speech }: Envelopes, cepstrum: Cepstrum, mean: Float64Array): Float64Array {
  const squares = new Float64Array(CEPSTRA);
  const at = new Float64Array(CEPSTRA);
  for (const frame of speech) {
    cepstrum(values, frame * BINS, at, 0);
    for (let order = 0; order < CEPSTRA; order += 1)
      squares[order] = (squares[order] ?? 0) + ((at[order] ?? 0) - (mean[order] ?? 0)) ** 2;
  }
  return squares.map((square) => Math.sqrt(square / speech.length));
}

/**
 * Replaces the sender's vocal tract length and long-term spectrum by drawn ones, frame by frame. Keeps pitch, timing
 * and power.
 *
 * Vocal tract length: Lee and Rose (1998), in `estimateWarp`. Spectra: Y. Stylianou, O. Cappé and E. Moulines,
 * "Continuous probabilistic transform for voice conversion", IEEE Transactions on Speech and Audio Processing 6 (1998),
 * 131–142, with one class. Swing: global variance, T. Toda, A. W. Black and K. Tokuda (2006).
 */
export function convertSpeaker(voice: MeasuredVoice, conversion: Conversion): Float32Array {
  const { length, power, padded, envelopes } = voice;
  const filtered = filterFrames(padded, envelopes.frames, createGains(voice, conversion)).subarray(
    FRAME,
    FRAME + length,
  );
  return scale(filtered, Math.sqrt(power / Math.max(meanSquare(filtered), Number.MIN_VALUE)));
}

type Pair = readonly [Float64Array, Float64Array];

/** Amplitude factors of a frame and the next, by bin. */
type GainWriter = (frame: number, into: Pair) => void;

/** Ratios within this natural logarithm share tables: inaudible. */
const RATIO_STEP = 0.01;

interface Tables {
  moved: Reading;
  basis: Float64Array;
}

function createGains(voice: MeasuredVoice, { speaker, formantRatios }: Conversion): GainWriter {
  const { envelopes, warp, mean } = voice;
  const tables = new Map<number, Tables>();
  const base = formantRatios[0] ?? 1;
  const tablesAt = (frame: number): Tables => {
    const block = Math.round((frame * STEP - FRAME / 2) / BLOCK);
    const ratio = formantRatios[Math.min(Math.max(block, 0), formantRatios.length - 1)] ?? base;
    const key = Math.round(Math.log(ratio / base) / RATIO_STEP);
    const known = tables.get(key);
    if (known !== undefined) return known;
    const scale = (base * Math.exp(key * RATIO_STEP)) / speaker.warp;
    const made = {
      moved: readingAt(Float64Array.from({ length: BINS }, (_, bin) => hertzOf(bin) * warp * scale)),
      basis: cepstralBasis(scale),
    };
    tables.set(key, made);
    return made;
  };
  const swings = voice.deviation.map((own, order) => {
    const swing = ((speaker.swing[order] ?? 1) * (TYPICAL_DEVIATION[order] ?? own)) / own;
    return Math.min(Math.max(swing, 1 / MAX_SWING), MAX_SWING);
  });
  const cepstrum = createCepstrum(warp);
  const changes = [new Float64Array(CEPSTRA), new Float64Array(CEPSTRA)] as const;
  const { values } = envelopes;

  const writeChange = (offset: number, into: Float64Array): void => {
    cepstrum(values, offset, into, 0);
    for (let order = 0; order < CEPSTRA; order += 1) {
      const own = mean[order] ?? 0;
      into[order] = ((swings[order] ?? 1) - 1) * ((into[order] ?? 0) - own) + (speaker.mean[order] ?? 0) - own;
    }
  };

  const writeMoved = (offset: number, moved: Reading, into: Float64Array): void => {
    for (let bin = 0; bin < BINS; bin += 1) {
      const place = offset + (moved.bins[bin] ?? 0);
      const below = values[place] ?? 0;
      into[bin] = below + ((values[place + 1] ?? 0) - below) * (moved.shares[bin] ?? 0) - (values[offset + bin] ?? 0);
    }
  };

  return (frame, into) => {
    const [first, second] = into;
    writeChange(frame * BINS, changes[0]);
    writeChange((frame + 1) * BINS, changes[1]);
    const { moved, basis } = tablesAt(frame);
    writeMoved(frame * BINS, moved, first);
    writeMoved((frame + 1) * BINS, moved, second);
    addSpectra(changes, basis, into);
    for (let bin = 0; bin < BINS; bin += 1) {
      first[bin] = Math.exp(0.5 * Math.min(Math.max(first[bin] ?? 0, -MAX_CHANGE), MAX_CHANGE));
      second[bin] = Math.exp(0.5 * Math.min(Math.max(second[bin] ?? 0, -MAX_CHANGE), MAX_CHANGE));
    }
  };
}

/** Two frames and four orders at a time, for fewest memory reads. */
function addSpectra([first, second]: Pair, basis: Float64Array, [firstInto, secondInto]: Pair): void {
  for (let order = 0; order < CEPSTRA; order += 4) {
    const a = first[order] ?? 0;
    const b = first[order + 1] ?? 0;
    const c = first[order + 2] ?? 0;
    const d = first[order + 3] ?? 0;
    const e = second[order] ?? 0;
    const f = second[order + 1] ?? 0;
    const g = second[order + 2] ?? 0;
    const h = second[order + 3] ?? 0;
    const row = order * BINS;
    for (let bin = 0; bin < BINS; bin += 1) {
      const p = basis[row + bin] ?? 0;
      const q = basis[row + BINS + bin] ?? 0;
      const r = basis[row + 2 * BINS + bin] ?? 0;
      const s = basis[row + 3 * BINS + bin] ?? 0;
      firstInto[bin] = (firstInto[bin] ?? 0) + a * p + b * q + c * r + d * s;
      secondInto[bin] = (secondInto[bin] ?? 0) + e * p + f * q + g * r + h * s;
    }
  }
}

/**
 * Applies gains frame by frame, keeping each frame's power. D. Griffin and J. Lim, "Signal estimation from modified
 * short-time Fourier transform", IEEE Transactions on Acoustics, Speech, and Signal Processing 32 (1984), 236–243.
 */
function filterFrames(padded: Float32Array, frames: number, writeGains: GainWriter): Float32Array {
  const window = hannWindow(FRAME).map(Math.sqrt);
  const filter = createPairFilter();
  const sum = new Float32Array(padded.length);
  const levels = new Float64Array(frames);
  const gains = [new Float64Array(BINS), new Float64Array(BINS)] as const;
  const real = new Float64Array(FRAME);
  const imaginary = new Float64Array(FRAME);
  const waiting = Array.from({ length: WAITING }, () => new Float64Array(FRAME));

  const add = (frame: number): void => {
    let level = 0;
    for (let reach = -LEVEL_REACH; reach <= LEVEL_REACH; reach += 1)
      level +=
        (LEVEL_WEIGHTS[reach + LEVEL_REACH] ?? 0) * (levels[Math.min(Math.max(frame + reach, 0), frames - 1)] ?? 0);
    const factor = Math.exp(level) / OVERLAP;
    const from = waiting[frame % WAITING] ?? real;
    for (let index = 0; index < FRAME; index += 1) {
      const place = frame * STEP + index;
      sum[place] = (sum[place] ?? 0) + (from[index] ?? 0) * (window[index] ?? 0) * factor;
    }
  };

  for (let frame = 0; frame < frames; frame += 2) {
    for (let index = 0; index < FRAME; index += 1) {
      real[index] = (padded[frame * STEP + index] ?? 0) * (window[index] ?? 0);
      imaginary[index] = (padded[(frame + 1) * STEP + index] ?? 0) * (window[index] ?? 0);
    }
    writeGains(frame, gains);
    filter(real, imaginary, gains, levels, frame);
    waiting[frame % WAITING]?.set(real);
    waiting[(frame + 1) % WAITING]?.set(imaginary);
    if (frame >= LEVEL_REACH) {
      add(frame - 2);
      add(frame - 1);
    }
  }
  add(frames - 2);
  add(frames - 1);
  return sum;
}

/** Two real frames in one transform, in place. Levels are corrections, as natural logarithms of amplitude. */
function createPairFilter(): (
  real: Float64Array,
  imaginary: Float64Array,
  gains: Pair,
  levels: Float64Array,
  frame: number,
) => void {
  const fft = createFft(FRAME);

  return (real, imaginary, [firstGains, secondGains], levels, frame) => {
    fft(real, imaginary);
    let firstBefore = POWER_FLOOR;
    let firstAfter = POWER_FLOOR;
    let secondBefore = POWER_FLOOR;
    let secondAfter = POWER_FLOOR;
    for (let bin = 0; bin < BINS; bin += 1) {
      const mirrored = (FRAME - bin) % FRAME;
      const a = real[bin] ?? 0;
      const b = imaginary[bin] ?? 0;
      const c = real[mirrored] ?? 0;
      const d = imaginary[mirrored] ?? 0;
      const firstGain = firstGains[bin] ?? 0;
      const secondGain = secondGains[bin] ?? 0;
      const firstReal = ((a + c) / 2) * firstGain;
      const firstImaginary = ((b - d) / 2) * firstGain;
      const secondReal = ((b + d) / 2) * secondGain;
      const secondImaginary = ((c - a) / 2) * secondGain;
      const firstPower = firstReal * firstReal + firstImaginary * firstImaginary;
      const secondPower = secondReal * secondReal + secondImaginary * secondImaginary;
      firstAfter += firstPower;
      secondAfter += secondPower;
      firstBefore += firstPower / (firstGain * firstGain);
      secondBefore += secondPower / (secondGain * secondGain);
      // Conjugated: the forward transform then gives the conjugate of the inverse.
      real[bin] = firstReal - secondImaginary;
      imaginary[bin] = -firstImaginary - secondReal;
      real[mirrored] = firstReal + secondImaginary;
      imaginary[mirrored] = firstImaginary - secondReal;
    }
    levels[frame] = 0.5 * Math.log(firstBefore / firstAfter);
    levels[frame + 1] = 0.5 * Math.log(secondBefore / secondAfter);
    fft(real, imaginary);
    for (let index = 0; index < FRAME; index += 1) {
      real[index] = (real[index] ?? 0) / FRAME;
      imaginary[index] = -(imaginary[index] ?? 0) / FRAME;
    }
  };
}
