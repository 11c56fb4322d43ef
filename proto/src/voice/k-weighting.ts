import { filter, type Biquad } from './biquad.js';

/** The shelf models the head, the high-pass the ear. */
const SHELF = {
  hertz: 1681.974450955533,
  decibels: 3.999843853973347,
  quality: 0.7071752369554196,
  slope: 0.4996667741545416,
};
const HIGH_PASS = { hertz: 38.13547087602444, quality: 0.5003270373238773 };

/** Compensates the gain of the filters at 1 kHz. */
export const K_OFFSET_DB = -0.691;

/**
 * ITU-R BS.1770-4 (annex 1) gives coefficients for 48 kHz; these are derived for any rate from the analog filters (B.
 * De Man, "Evaluation of implementations of the EBU R128 loudness measurement", AES convention 145, 2018).
 */
export function applyKWeighting(samples: Float32Array, sampleRate: number): Float32Array {
  return filter(filter(samples, shelf(sampleRate)), highPass(sampleRate));
}

function shelf(sampleRate: number): Biquad {
  const { hertz, decibels, quality, slope } = SHELF;
  const k = Math.tan((Math.PI * hertz) / sampleRate);
  const high = 10 ** (decibels / 20);
  const band = (high ** slope * k) / quality;
  const scale = 1 + k / quality + k * k;
  return {
    b: [(high + band + k * k) / scale, (2 * (k * k - high)) / scale, (high - band + k * k) / scale],
    a: [(2 * (k * k - 1)) / scale, (1 - k / quality + k * k) / scale],
  };
}

function highPass(sampleRate: number): Biquad {
  const { hertz, quality } = HIGH_PASS;
  const k = Math.tan((Math.PI * hertz) / sampleRate);
  const scale = 1 + k / quality + k * k;
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / scale, (1 - k / quality + k * k) / scale] };
}
