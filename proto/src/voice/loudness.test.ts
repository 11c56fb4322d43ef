import { describe, expect, test } from '@jest/globals';
import { findPeak, gainTo, level, measureLevel } from './loudness.js';

const RATE = 16_000;

/** A sine of 1 kHz. Its power is 3.01 dB below its peak. */
const tone = (seconds: number, peak: number): Float32Array =>
  Float32Array.from({ length: seconds * RATE }, (_, index) => peak * Math.sin((2 * Math.PI * 1000 * index) / RATE));
const silence = (seconds: number): Float32Array => new Float32Array(seconds * RATE);
const join = (...parts: Float32Array[]): Float32Array => Float32Array.from(parts.flatMap((part) => [...part]));

describe('measureLevel', () => {
  test.each([
    [1, -3.01],
    [0.1, -23.01],
    [0.001, -63.01],
  ])('measures a sine with peak %f as %f dBFS', (peak, expected) => {
    expect(measureLevel(tone(2, peak), RATE)).toBeCloseTo(expected, 1);
  });

  test('ignores pauses', () => {
    expect(Math.abs(measureLevel(join(tone(1, 0.1), silence(20), tone(1, 0.1)), RATE) + 23)).toBeLessThan(1);
  });

  test('ignores parts far quieter than the rest', () => {
    expect(Math.abs(measureLevel(join(tone(2, 0.5), tone(10, 0.01)), RATE) + 9)).toBeLessThan(1);
  });

  test('measures a sound shorter than one block as a whole', () => {
    expect(measureLevel(tone(0.3, 0.1), RATE)).toBeCloseTo(-23, 1);
  });

  test.each([
    ['silence', silence(2)],
    ['nothing', silence(0)],
    ['noise below speech level', tone(2, 0.0001)],
  ])('returns -Infinity for %s, which gets no gain', (_name, samples) => {
    expect(measureLevel(samples, RATE)).toBe(-Infinity);
    expect(gainTo(measureLevel(samples, RATE), { target: -16, maxGain: 40 })).toBe(0);
  });
});

describe('level', () => {
  const levelTarget = { target: -24, maxGain: 46 };

  test('brings loud and quiet sounds to the same level', () => {
    for (const peak of [0.9, 0.1, 0.005])
      expect(measureLevel(level(tone(2, peak), RATE, levelTarget, 0.99), RATE)).toBeCloseTo(-24, 1);
  });

  test('limits the gain', () => {
    expect(measureLevel(level(tone(2, 0.0006), RATE, { target: -10, maxGain: 20 }, 0.99), RATE)).toBeCloseTo(-47.4, 0);
  });

  test('limits the peak', () => {
    const clicks = join(tone(2, 0.05));
    clicks[100] = 1;
    expect(findPeak(level(clicks, RATE, { target: -10, maxGain: 46 }, 0.99))).toBeCloseTo(0.99, 5);
  });

  test('leaves silence unchanged', () => {
    expect(level(silence(1), RATE, levelTarget, 0.99)).toEqual(silence(1));
  });
});
