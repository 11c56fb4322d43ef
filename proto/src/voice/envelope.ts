import { createFft } from './fft.js';
import { createLinearPredictor } from './linear-prediction.js';
import { ANALYSIS_RATE } from './rates.js';
import { hannWindow } from './window.js';

/** 32 ms and 8 ms. Four windows overlap. */
export const FRAME = 512;
export const STEP = FRAME / 4;

/** From 0 Hz to half of the sample rate. */
export const BINS = FRAME / 2 + 1;

const ORDER = 20;
const SMALLEST_POWER = 1e-9;

/** Speech is at most 32 dB below loud frames. */
const LOUD_PERCENTILE = 0.95;
const SPEECH_BELOW_LOUD = 10 ** -3.2;

/** Resonances of the vocal tract without the pitch. */
export interface Envelopes {
  frames: number;
  /** Natural logarithms of power, frame by frame. */
  values: Float32Array;
  /** Indices of frames with speech. Never empty. */
  speech: number[];
}

/**
 * Scales, and pads so that every sample is in four frames. The first sample is at `FRAME`. An even number of frames.
 */
export function padToFrames(samples: Float32Array, factor: number): Float32Array {
  const steps = 2 * Math.ceil((samples.length + FRAME) / (2 * STEP));
  const padded = new Float32Array(FRAME + (steps + 1) * STEP);
  for (let index = 0; index < samples.length; index += 1) padded[FRAME + index] = (samples[index] ?? 0) * factor;
  return padded;
}

/**
 * By linear prediction.
 * @param padded from `padToFrames`
 */
export function measureEnvelopes(padded: Float32Array): Envelopes {
  const frames = (padded.length - FRAME) / STEP + 1;
  const values = new Float32Array(frames * BINS);
  const powers = new Float64Array(frames);
  const predictor = createLinearPredictor(ORDER, ANALYSIS_RATE);
  const window = hannWindow(FRAME);
  const fft = createFft(FRAME);
  const frame = new Float64Array(FRAME);
  const filters = [new Float64Array(ORDER + 1), new Float64Array(ORDER + 1)] as const;
  const real = new Float64Array(FRAME);
  const imaginary = new Float64Array(FRAME);

  const analyse = (number: number, into: Float64Array): number => {
    for (let index = 0; index < FRAME; index += 1)
      frame[index] = (padded[number * STEP + index] ?? 0) * (window[index] ?? 0);
    const residual = predictor.analyse(frame, into);
    powers[number] = predictor.power;
    return Math.log(residual);
  };

  // Two real filters share a transform.
  for (let number = 0; number < frames; number += 2) {
    const first = analyse(number, filters[0]);
    const second = analyse(number + 1, filters[1]);
    real.fill(0).set(filters[0]);
    imaginary.fill(0).set(filters[1]);
    fft(real, imaginary);
    const at = number * BINS;
    for (let bin = 0; bin < BINS; bin += 1) {
      const mirrored = (FRAME - bin) % FRAME;
      const a = real[bin] ?? 0;
      const b = imaginary[bin] ?? 0;
      const c = real[mirrored] ?? 0;
      const d = imaginary[mirrored] ?? 0;
      values[at + bin] = first - Math.log(Math.max(((a + c) ** 2 + (b - d) ** 2) / 4, SMALLEST_POWER));
      values[at + BINS + bin] = second - Math.log(Math.max(((b + d) ** 2 + (c - a) ** 2) / 4, SMALLEST_POWER));
    }
  }
  return { frames, values, speech: findSpeech(powers) };
}

function findSpeech(powers: Float64Array): number[] {
  const loud = powers.slice().sort()[Math.floor(LOUD_PERCENTILE * (powers.length - 1))] ?? 0;
  const speech: number[] = [];
  powers.forEach((power, number) => {
    if (power >= loud * SPEECH_BELOW_LOUD) speech.push(number);
  });
  return speech;
}
