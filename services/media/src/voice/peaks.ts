import { findPeak } from './loudness.js';

/** How many bars a waveform has. */
export const PEAK_COUNT = 64;

const GREATEST = 100;

/** The outline of a sound: the greatest sample of each of equal parts, from 0 to 100, which is the greatest of all. */
export function outline(samples: Float32Array): number[] {
  const whole = findPeak(samples);
  const bounds = Array.from({ length: PEAK_COUNT + 1 }, (_, part) => Math.round((part * samples.length) / PEAK_COUNT));
  return Array.from({ length: PEAK_COUNT }, (_, part) => {
    const peak = findPeak(samples.subarray(bounds[part], bounds[part + 1]));
    return whole === 0 ? 0 : Math.round((GREATEST * peak) / whole);
  });
}
