import { createAutocorrelator } from './autocorrelation.js';
import { hannWindow } from './window.js';

const FRAME_SECONDS = 0.05;
const STEP_SECONDS = 0.01;
const LOWEST_HZ = 70;
const HIGHEST_HZ = 400;

/** Per octave. Multiples of a lag fit equally well: prefers the shortest. */
const OCTAVE_COST = 0.06;
const VOICED_STRENGTH = 0.5;
const LOUD_PERCENTILE = 0.95;
const QUIET_DB = 25;

/** Fewer give no reliable pitch. */
const MIN_VOICED_FRAMES = 20;
const DEFAULT_HZ = 150;

/** Of a voiced frame. */
export interface PitchFrame {
  /** In samples. */
  middle: number;
  hertz: number;
}

/** Median in Hz, 150 if too little is voiced. */
export const estimatePitch = (samples: Float32Array, sampleRate: number): number =>
  medianPitch(trackPitch(samples, sampleRate));

export function medianPitch(track: readonly PitchFrame[]): number {
  return track.length < MIN_VOICED_FRAMES ? DEFAULT_HZ : median(track.map(({ hertz }) => hertz));
}

/**
 * Frames of 50 ms, autocorrelation divided by that of the Hann window: P. Boersma, "Accurate short-term analysis of the
 * fundamental frequency and the harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17 (1993), 97–110.
 * Without its path search, since single errors matter little.
 */
export function trackPitch(samples: Float32Array, sampleRate: number): PitchFrame[] {
  const frameLength = Math.round(FRAME_SECONDS * sampleRate);
  const step = Math.round(STEP_SECONDS * sampleRate);
  const window = hannWindow(frameLength);
  const shortest = Math.ceil(sampleRate / HIGHEST_HZ);
  const longest = Math.floor(sampleRate / LOWEST_HZ);
  const correlate = createAutocorrelator(frameLength, longest + 2);
  const newPair = (length: number) => [new Float64Array(length), new Float64Array(length)] as const;
  const windowCorrelations = newPair(longest + 2);
  correlate([window, window], windowCorrelations);

  const frames: { start: number; energy: number }[] = [];
  for (let start = 0; start + frameLength <= samples.length; start += step) {
    const energy = windowedEnergy(samples, start, window);
    if (energy > 0) frames.push({ start, energy });
  }
  const energies = frames.map(({ energy }) => energy).sort((a, b) => a - b);
  const minEnergy = (energies[Math.floor(LOUD_PERCENTILE * (energies.length - 1))] ?? 0) * 10 ** (-QUIET_DB / 10);
  const loud = frames.filter(({ energy }) => energy >= minEnergy);

  const track: PitchFrame[] = [];
  const pair = newPair(frameLength);
  const correlations = newPair(longest + 2);
  for (let index = 0; index < loud.length; index += 2) {
    // An odd last frame is paired with itself and counted once.
    const starts = loud.slice(index, index + 2).map(({ start }) => start);
    pair.forEach((frame, side) => extractFrame(samples, starts[side] ?? starts[0] ?? 0, window, frame));
    correlate(pair, correlations);
    for (let side = 0; side < starts.length; side += 1) {
      const lag = bestLag(correlations[side === 0 ? 0 : 1], windowCorrelations[0], shortest, longest);
      if (lag !== undefined) track.push({ middle: (starts[side] ?? 0) + frameLength / 2, hertz: sampleRate / lag });
    }
  }
  return track;
}

/** Strongest correlation, interpolated. Undefined if unvoiced. */
function bestLag(
  correlation: Float64Array,
  windowCorrelation: Float64Array,
  shortest: number,
  longest: number,
): number | undefined {
  const strengthAt = (lag: number): number => at(correlation, lag) / at(windowCorrelation, lag);
  let best: { lag: number; strength: number; score: number } | undefined;
  let before = strengthAt(shortest - 1);
  let here = strengthAt(shortest);
  for (let lag = shortest; lag <= longest; lag += 1) {
    const after = strengthAt(lag + 1);
    if (here >= before && here > after) {
      const score = here - OCTAVE_COST * Math.log2(lag / shortest);
      if (best === undefined || score > best.score)
        best = { lag: lag + parabolaOffset(before, here, after), strength: here, score };
    }
    before = here;
    here = after;
  }
  return best !== undefined && best.strength > VOICED_STRENGTH ? best.lag : undefined;
}

/** Vertex of a parabola through three neighbours, relative to the middle one. */
const parabolaOffset = (before: number, here: number, after: number): number =>
  (before - after) / (2 * (before - 2 * here + after));

function extractFrame(samples: Float32Array, start: number, window: Float64Array, into: Float64Array): void {
  let mean = 0;
  for (let index = 0; index < window.length; index += 1) mean += (samples[start + index] ?? 0) / window.length;
  for (let index = 0; index < window.length; index += 1)
    into[index] = ((samples[start + index] ?? 0) - mean) * at(window, index);
}

function windowedEnergy(samples: Float32Array, start: number, window: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < window.length; index += 1)
    sum += ((samples[start + index] ?? 0) * at(window, index)) ** 2;
  return sum;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

const at = (values: Float64Array, index: number): number => values[index] ?? 0;
