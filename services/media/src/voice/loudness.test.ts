import { describe, expect, test } from '@jest/globals';
import { findPeak, gainTowards, level, measureLevel } from './loudness.js';

const RATE = 16_000;

/** A sine of one kilohertz, whose power is 3.01 dB below that of its peak. */
const tone = (seconds: number, peak: number): Float32Array =>
  Float32Array.from({ length: seconds * RATE }, (_, index) => peak * Math.sin((2 * Math.PI * 1000 * index) / RATE));
const silence = (seconds: number): Float32Array => new Float32Array(seconds * RATE);
const join = (...parts: Float32Array[]): Float32Array => Float32Array.from(parts.flatMap((part) => [...part]));

describe('the level', () => {
  test.each([
    [1, -3.01],
    [0.1, -23.01],
    [0.001, -63.01],
  ])('of a sine with the peak %f is %f dBFS', (peak, expected) => {
    expect(measureLevel(tone(2, peak), RATE)).toBeCloseTo(expected, 1);
  });

  test('is that of the speech, however long the pauses are', () => {
    expect(Math.abs(measureLevel(join(tone(1, 0.1), silence(20), tone(1, 0.1)), RATE) + 23)).toBeLessThan(1);
  });

  test('leaves out what is far quieter than the rest', () => {
    expect(Math.abs(measureLevel(join(tone(2, 0.5), tone(10, 0.01)), RATE) + 9)).toBeLessThan(1);
  });

  test('of something shorter than a block is measured over all of it', () => {
    expect(measureLevel(tone(0.3, 0.1), RATE)).toBeCloseTo(-23, 1);
  });

  test.each([
    ['silence', silence(2)],
    ['nothing', silence(0)],
    ['what is quieter than anyone speaks', tone(2, 0.0001)],
  ])('of %s is minus infinity, and asks for no gain', (_name, samples) => {
    expect(measureLevel(samples, RATE)).toBe(-Infinity);
    expect(gainTowards(measureLevel(samples, RATE), { target: -16, mostGain: 40 })).toBe(0);
  });
});

describe('levelling', () => {
  const aim = { target: -24, mostGain: 46 };

  test('brings loud and quiet to the same', () => {
    for (const peak of [0.9, 0.1, 0.005])
      expect(measureLevel(level(tone(2, peak), RATE, aim, 0.99), RATE)).toBeCloseTo(-24, 1);
  });

  test('raises by no more than it may', () => {
    expect(measureLevel(level(tone(2, 0.0006), RATE, { target: -10, mostGain: 20 }, 0.99), RATE)).toBeCloseTo(-47.4, 0);
  });

  test('keeps a peak within bounds', () => {
    const clicks = join(tone(2, 0.05));
    clicks[100] = 1;
    expect(findPeak(level(clicks, RATE, { target: -10, mostGain: 46 }, 0.99))).toBeCloseTo(0.99, 5);
  });

  test('leaves silence silent', () => {
    expect(level(silence(1), RATE, aim, 0.99)).toEqual(silence(1));
  });
});
