import { findPeak } from './loudness.js';

/** Bars in a waveform. */
export const PEAK_COUNT = 64;

const PEAK_SCALE = 100;

/** The waveform: splits the sound into equal parts and takes the peak of each, scaled so that the highest is 100. */
export function computePeaks(samples: Float32Array): number[] {
  const whole = findPeak(samples);
  const bounds = Array.from({ length: PEAK_COUNT + 1 }, (_, part) => Math.round((part * samples.length) / PEAK_COUNT));
  return Array.from({ length: PEAK_COUNT }, (_, part) => {
    const peak = findPeak(samples.subarray(bounds[part], bounds[part + 1]));
    return whole === 0 ? 0 : Math.round((PEAK_SCALE * peak) / whole);
  });
}
