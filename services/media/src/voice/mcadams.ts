import { createLinearPredictor } from './linear-prediction.js';
import { meanSquare } from './loudness.js';
import { createRootFinder, type ComplexList } from './roots.js';
import { hannWindow } from './window.js';

const FRAME_SECONDS = 0.02;
const STEP_SECONDS = 0.01;
const ORDER = 20;
const MAX_RADIUS = 0.995;

/** −80 dBFS. Quieter frames have no formants. */
const SILENCE = 1e-8;

/** Smaller imaginary parts are rounding errors of real roots. */
const REAL_AXIS = 1e-6;

/**
 * Moves the formants of a voice, which identify the vocal tract. The angle φ of every complex pole of a linear
 * prediction becomes φ^α, and the residual is filtered with the moved poles. α below 1 moves angles towards one radian,
 * α above 1 away from it.
 *
 * S. McAdams, "Spectral fusion, spectral parsing and the formation of auditory images" (1984); for speech J. Patino et
 * al., "Speaker anonymisation using the McAdams coefficient", Interspeech 2021, 1099–1103. Keeps the power of the
 * input.
 */
export function bendFormants(samples: Float32Array, sampleRate: number, alpha: number): Float32Array {
  const length = Math.round(FRAME_SECONDS * sampleRate);
  const step = Math.round(STEP_SECONDS * sampleRate);
  const window = hannWindow(length);
  const bender = createFrameBender(length, sampleRate, alpha);

  const sum = new Float64Array(samples.length + 2 * length);
  const weight = new Float64Array(samples.length + 2 * length);
  const frame = new Float64Array(length);
  // Frames begin before the first sample and end after the last, so that every sample is in equally many frames.
  for (let start = step - length; start < samples.length; start += step) {
    for (let index = 0; index < length; index += 1) frame[index] = (samples[start + index] ?? 0) * (window[index] ?? 0);
    const bent = bender(frame);
    for (let index = 0; index < length; index += 1) {
      const place = start + length + index;
      const share = window[index] ?? 0;
      sum[place] = (sum[place] ?? 0) + (bent[index] ?? 0) * share;
      weight[place] = (weight[place] ?? 0) + share * share;
    }
  }
  const result = samples.map((_, index) => (sum[index + length] ?? 0) / (weight[index + length] ?? 1));
  const [before, after] = [meanSquare(samples), meanSquare(result)];
  const factor = after > 0 ? Math.sqrt(before / after) : 1;
  return result.map((sample) => sample * factor);
}

/** Moves the formants of single frames. The next call overwrites the returned array. */
function createFrameBender(length: number, sampleRate: number, alpha: number): (frame: Float64Array) => Float64Array {
  const predictor = createLinearPredictor(ORDER, sampleRate);
  const rootFinder = createRootFinder(ORDER);
  const whitening = new Float64Array(ORDER + 1);
  const shaping = new Float64Array(ORDER + 1);
  // The filters look back ORDER samples, so each frame is preceded by silence.
  const input = new Float64Array(ORDER + length);
  const output = new Float64Array(ORDER + length);

  return (frame) => {
    let energy = 0;
    for (let index = 0; index < length; index += 1) energy += (frame[index] ?? 0) * (frame[index] ?? 0);
    if (energy < SILENCE * length || !predictor.analyse(frame, whitening) || !rootFinder.solve(whitening)) return frame;
    expand(rootFinder.roots, alpha, shaping);
    input.set(frame, ORDER);
    // Both filters in one pass: the residual of the first is the input of the second.
    for (let index = ORDER; index < ORDER + length; index += 1) {
      let value = input[index] ?? 0;
      for (let lag = 1; lag <= ORDER; lag += 1)
        value += (whitening[lag] ?? 0) * (input[index - lag] ?? 0) - (shaping[lag] ?? 0) * (output[index - lag] ?? 0);
      output[index] = value;
    }
    return output.subarray(ORDER);
  };
}

/** Writes the polynomial of the moved poles. Each pole above the real axis also stands for its conjugate. */
function expand({ real, imaginary }: ComplexList, alpha: number, into: Float64Array): void {
  into.fill(0)[0] = 1;
  let degree = 0;
  for (let index = 0; index < real.length; index += 1) {
    const x = real[index] ?? 0;
    const y = imaginary[index] ?? 0;
    if (Math.abs(y) <= REAL_AXIS) {
      degree = multiply(into, degree, -x, 0, 1);
    } else if (y > 0) {
      const radius = Math.min(Math.hypot(x, y), MAX_RADIUS);
      const angle = Math.min(Math.atan2(y, x) ** alpha, Math.PI);
      degree = multiply(into, degree, -2 * radius * Math.cos(angle), radius * radius, 2);
    }
  }
}

/** Multiplies by 1 + bz⁻¹ + cz⁻². @returns the degree of the product */
function multiply(polynomial: Float64Array, degree: number, b: number, c: number, factorDegree: number): number {
  for (let power = degree + factorDegree; power >= 1; power -= 1) {
    polynomial[power] = (polynomial[power] ?? 0) + b * (polynomial[power - 1] ?? 0) + c * (polynomial[power - 2] ?? 0);
  }
  return degree + factorDegree;
}
