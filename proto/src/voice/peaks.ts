import { findPeak } from './loudness.js';

/** Bars of a waveform. */
export const PEAK_COUNT = 64;

const PEAK_SCALE = 100;

/** Peaks of equal parts, scaled to a maximum of 100. */
export function computePeaks(samples: Float32Array): number[] {
  const whole = findPeak(samples);
  const bounds = Array.from({ length: PEAK_COUNT + 1 }, (_, part) => Math.round((part * samples.length) / PEAK_COUNT));
  return Array.from({ length: PEAK_COUNT }, (_, part) => {
    const peak = findPeak(samples.subarray(bounds[part], bounds[part + 1]));
    return whole === 0 ? 0 : Math.round((PEAK_SCALE * peak) / whole);
  });
}
