import { CEPSTRA } from './cepstrum.js';
import model from './speaker-model.json' with { type: 'json' };

/** Of many speakers of one sex. */
export interface TypicalSpeaker {
  /** From normalised frequencies to this speaker's. */
  warp: number;
  /** Of the long-term spectrum. */
  mean: readonly number[];
}

export const TYPICAL: Record<'male' | 'female', TypicalSpeaker> = model;

/** Lower triangle, row by row, whose square is the covariance of long-term cepstra within one sex. */
export const SPEAKER_SPREAD: readonly number[] = model.spread;

const classes = model.weights.length;

/** Of each coefficient in speech: that of the whole mixture. */
export const TYPICAL_DEVIATION: readonly number[] = Array.from({ length: CEPSTRA }, (_, order) => {
  let [mean, square] = [0, 0];
  model.weights.forEach((weight, number) => {
    const place = number * CEPSTRA + order;
    const centre = model.means[place] ?? 0;
    mean += weight * centre;
    square += weight * ((model.variances[place] ?? 0) + centre ** 2);
  });
  return Math.sqrt(square - mean ** 2);
});

/** The exponent of a Gaussian as a polynomial of each coefficient. */
const linear = Float64Array.from(model.means, (mean, index) => mean / (model.variances[index] ?? 1));
const quadratic = Float64Array.from(model.variances, (variance) => -0.5 / variance);
const constants = Float64Array.from(model.weights, (weight, index) => {
  let sum = Math.log(weight);
  for (let place = index * CEPSTRA; place < (index + 1) * CEPSTRA; place += 1) {
    const mean = model.means[place] ?? 0;
    const variance = model.variances[place] ?? 1;
    sum -= 0.5 * (Math.log(2 * Math.PI * variance) + (mean * mean) / variance);
  }
  return sum;
});

const exponents = new Float64Array(classes);

/** Of a cepstrum without its long-term mean, in a Gaussian mixture. */
export function logLikelihood(cepstra: Float64Array, offset: number): number {
  let highest = -Infinity;
  for (let number = 0; number < classes; number += 1) {
    let sum = constants[number] ?? 0;
    for (let order = 0; order < CEPSTRA; order += 1) {
      const value = cepstra[offset + order] ?? 0;
      const place = number * CEPSTRA + order;
      sum += value * ((linear[place] ?? 0) + value * (quadratic[place] ?? 0));
    }
    exponents[number] = sum;
    if (sum > highest) highest = sum;
  }
  let total = 0;
  for (let number = 0; number < classes; number += 1) total += Math.exp((exponents[number] ?? 0) - highest);
  return highest + Math.log(total);
}
