const STEP_SECONDS = 0.1;
const STEPS_PER_BLOCK = 4;
const ABSOLUTE_GATE_DB = -70;
const RELATIVE_GATE_DB = -10;

export interface LevelTarget {
  /** dBFS. */
  target: number;
  /** dB. More would only amplify noise. */
  maxGain: number;
}

export const toDecibels = (power: number): number => 10 * Math.log10(power);
export const toFactor = (decibels: number): number => 10 ** (decibels / 20);

/**
 * Speech level in dBFS: mean power of 400 ms blocks above −70 dBFS and at most 10 dB below their mean. Gates of ITU-R
 * BS.1770-4 (annex 1), without its frequency weighting.
 * @returns −Infinity for silence
 */
export function measureLevel(samples: Float32Array, sampleRate: number): number {
  const loud = blockPowers(samples, sampleRate).filter((power) => toDecibels(power) > ABSOLUTE_GATE_DB);
  const gate = toDecibels(mean(loud)) + RELATIVE_GATE_DB;
  return toDecibels(mean(loud.filter((power) => toDecibels(power) > gate)));
}

/** In dB. 0 for silence. */
export function gainTo(level: number, { target, maxGain }: LevelTarget): number {
  return level === -Infinity ? 0 : Math.min(target - level, maxGain);
}

/** Absolute. */
export function findPeak(samples: Float32Array): number {
  let peak = 0;
  for (const sample of samples) {
    const size = Math.abs(sample);
    if (size > peak) peak = size;
  }
  return peak;
}

/** By index: `map` takes two to three times as long, `from` ten times. */
export function scale(samples: Float32Array, factor: number): Float32Array<ArrayBuffer> {
  const scaled = new Float32Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) scaled[index] = (samples[index] ?? 0) * factor;
  return scaled;
}

/** Less if the peak would exceed `maxPeak`. */
export function level(
  samples: Float32Array,
  sampleRate: number,
  levelTarget: LevelTarget,
  maxPeak: number,
): Float32Array {
  const wanted = toFactor(gainTo(measureLevel(samples, sampleRate), levelTarget));
  const peak = findPeak(samples);
  return scale(samples, peak * wanted > maxPeak ? maxPeak / peak : wanted);
}

const LOOKAHEAD_SECONDS = 0.005;

/** Limiter with smooth attack and release. */
export function limitPeaks(samples: Float32Array, sampleRate: number, limit: number): Float32Array {
  if (findPeak(samples) <= limit) return samples;
  const reach = Math.round(LOOKAHEAD_SECONDS * sampleRate);
  const factors = new Float32Array(samples.length + 2 * reach).fill(1);
  for (let index = 0; index < samples.length; index += 1) {
    const factor = limit / Math.abs(samples[index] ?? 0);
    if (factor >= 1) continue;
    for (let at = index; at <= index + 2 * reach; at += 1) factors[at] = Math.min(factors[at] ?? 1, factor);
  }
  const span = 2 * reach + 1;
  let sum = 0;
  for (let at = 0; at < span - 1; at += 1) sum += factors[at] ?? 1;
  const limited = new Float32Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    sum += factors[index + span - 1] ?? 1;
    limited[index] = ((samples[index] ?? 0) * sum) / span;
    sum -= factors[index] ?? 1;
  }
  return limited;
}

/** Mean squares. A shorter recording is one block. */
function blockPowers(samples: Float32Array, sampleRate: number): number[] {
  const step = Math.round(STEP_SECONDS * sampleRate);
  const steps = Math.floor(samples.length / step);
  if (steps < STEPS_PER_BLOCK) return samples.length === 0 ? [] : [meanSquare(samples)];
  const powers = Array.from({ length: steps }, (_, number) =>
    meanSquare(samples.subarray(number * step, (number + 1) * step)),
  );
  return Array.from({ length: steps - STEPS_PER_BLOCK + 1 }, (_, first) =>
    mean(powers.slice(first, first + STEPS_PER_BLOCK)),
  );
}

export function meanSquare(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : sum / samples.length;
}

const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
