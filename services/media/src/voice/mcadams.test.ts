import { describe, expect, test } from '@jest/globals';
import { meanSquare } from './loudness.js';
import { bendFormants } from './mcadams.js';

const RATE = 16_000;

/** A vowel with one formant: a pulse train through one resonance. */
function vowel(formant: number, seconds = 0.5, radius = 0.97): Float32Array {
  const angle = (2 * Math.PI * formant) / RATE;
  let [before, last] = [0, 0];
  return Float32Array.from({ length: seconds * RATE }, (_, index) => {
    const value = (index % 128 === 0 ? 0.1 : 0) + 2 * radius * Math.cos(angle) * last - radius * radius * before;
    [before, last] = [last, value];
    return value;
  });
}

/** Power at one frequency, windowed. */
function powerAt(samples: Float32Array, hertz: number): number {
  let [real, imaginary] = [0, 0];
  samples.forEach((sample, index) => {
    const weight = Math.sin((Math.PI * index) / samples.length) ** 2;
    real += weight * sample * Math.cos((2 * Math.PI * hertz * index) / RATE);
    imaginary += weight * sample * Math.sin((2 * Math.PI * hertz * index) / RATE);
  });
  return real * real + imaginary * imaginary;
}

/** The strongest harmonic of 125 Hz. */
function formantOf(samples: Float32Array): number {
  const harmonics = Array.from({ length: 60 }, (_, index) => 125 * (index + 1));
  return harmonics.reduce((best, hertz) => (powerAt(samples, hertz) > powerAt(samples, best) ? hertz : best));
}

/** Expected formant in Hz: its angle raised to the power of alpha. */
const expectedFormant = (formant: number, alpha: number): number =>
  (((2 * Math.PI * formant) / RATE) ** alpha * RATE) / (2 * Math.PI);

describe('bendFormants', () => {
  test.each([
    [800, 0.86],
    [800, 1.16],
    [1500, 0.9],
    [4500, 0.86],
    [4500, 1.16],
  ])('moves a formant of %i Hz by a coefficient of %f', (formant, alpha) => {
    const bent = formantOf(bendFormants(vowel(formant), RATE, alpha));
    expect(Math.abs(bent - expectedFormant(formant, alpha))).toBeLessThanOrEqual(130);
    expect(Math.abs(bent - formant)).toBeGreaterThanOrEqual(60);
  });

  test('keeps the pitch, the length and the power', () => {
    const samples = vowel(1000);
    const bent = bendFormants(samples, RATE, 0.88);
    expect(bent).toHaveLength(samples.length);
    expect(meanSquare(bent) / meanSquare(samples)).toBeCloseTo(1, 3);
    // The harmonics are still those of 125 Hz, with almost nothing between them.
    const strongest = formantOf(bent);
    expect(powerAt(bent, strongest + 62.5) / powerAt(bent, strongest)).toBeLessThan(0.01);
  });

  test('changes almost nothing with a coefficient of 1', () => {
    const samples = vowel(1000);
    const bent = bendFormants(samples, RATE, 1);
    const difference = meanSquare(samples.map((sample, index) => sample - (bent[index] ?? 0)));
    expect(difference / meanSquare(samples)).toBeLessThan(0.01);
  });

  test.each([
    ['silence', new Float32Array(RATE)],
    ['nothing', new Float32Array(0)],
    ['one sample', Float32Array.of(0.5)],
    ['a click', Float32Array.from({ length: RATE }, (_, index) => (index === 8000 ? 1 : 0))],
    ['a constant', new Float32Array(RATE).fill(0.5)],
    ['a square wave at full scale', Float32Array.from({ length: RATE }, (_, index) => (index % 80 < 40 ? 1 : -1))],
  ])('keeps the length and power of %s and returns finite samples', (_name, samples) => {
    for (const alpha of [0.86, 1.16]) {
      const bent = bendFormants(samples, RATE, alpha);
      expect(bent).toHaveLength(samples.length);
      expect(bent.every(Number.isFinite)).toBe(true);
      expect(meanSquare(bent)).toBeCloseTo(meanSquare(samples), 3);
    }
  });
});
