/** Second order, leading denominator coefficient 1. */
export interface Biquad {
  b: readonly [number, number, number];
  a: readonly [number, number];
}

/** Butterworth: flat in the passband. */
const QUALITY = Math.SQRT1_2;

/** R. Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients", as in ffmpeg. */
function butterworth(hertz: number, sampleRate: number, side: 1 | -1): Biquad {
  const angle = (2 * Math.PI * hertz) / sampleRate;
  const alpha = Math.sin(angle) / (2 * QUALITY);
  const cosine = Math.cos(angle);
  const scale = 1 + alpha;
  const middle = (side - cosine) / scale;
  return {
    b: [Math.abs(middle) / 2, middle, Math.abs(middle) / 2],
    a: [(-2 * cosine) / scale, (1 - alpha) / scale],
  };
}

export const lowPass = (hertz: number, sampleRate: number): Biquad => butterworth(hertz, sampleRate, 1);

export const highPass = (hertz: number, sampleRate: number): Biquad => butterworth(hertz, sampleRate, -1);

export function filter(samples: Float32Array, { b: [b0, b1, b2], a: [a1, a2] }: Biquad): Float32Array {
  let one = 0;
  let two = 0;
  const result = new Float32Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    const sample = samples[index] ?? 0;
    const filtered = b0 * sample + one;
    one = b1 * sample - a1 * filtered + two;
    two = b2 * sample - a2 * filtered;
    result[index] = filtered;
  }
  return result;
}
