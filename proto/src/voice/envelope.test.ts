import { expect, test } from '@jest/globals';
import { BINS, FRAME, measureEnvelopes, padToFrames, STEP } from './envelope.js';

const RATE = 16_000;

/** Pulses at 100 Hz through one resonance. */
function vowel(hertz: number, seconds: number): Float32Array {
  const angle = (2 * Math.PI * hertz) / RATE;
  let [before, last] = [0, 0];
  return Float32Array.from({ length: seconds * RATE }, (_, index) => {
    const value = (index % 160 === 0 ? 0.1 : 0) + 2 * 0.97 * Math.cos(angle) * last - 0.97 ** 2 * before;
    [before, last] = [last, value];
    return value;
  });
}

test.each([500, 1500, 3000])('the envelope of a vowel peaks at its formant of %i Hz', (hertz) => {
  const { values, speech } = measureEnvelopes(padToFrames(vowel(hertz, 0.5), 1));
  const middle = speech[speech.length >> 1] ?? 0;
  const envelope = values.subarray(middle * BINS, (middle + 1) * BINS);
  const peak = envelope.indexOf(Math.max(...envelope));
  expect(Math.abs((peak * RATE) / FRAME - hertz)).toBeLessThan(100);
});

test('finds the frames that hold speech', () => {
  const samples = new Float32Array(RATE);
  samples.set(vowel(700, 0.25), RATE / 2);
  const { speech } = measureEnvelopes(padToFrames(samples, 1));
  const seconds = speech.map((frame) => (frame * STEP - FRAME / 2) / RATE);
  expect(Math.min(...seconds)).toBeGreaterThan(0.45);
  expect(Math.max(...seconds)).toBeLessThan(0.8);
  expect(speech.length * STEP).toBeGreaterThan(0.2 * RATE);
});

test.each([1, 127, 128, 129, 511, 512, 513, 16_000])('padding puts each of %i samples into four frames', (length) => {
  const padded = padToFrames(new Float32Array(length).fill(1), 2);
  const frames = (padded.length - FRAME) / STEP + 1;
  expect(frames % 2).toBe(0);
  expect([padded[FRAME - 1], padded[FRAME], padded[FRAME + length - 1], padded[FRAME + length]]).toEqual([0, 2, 2, 0]);
  expect((frames - 1) * STEP).toBeGreaterThanOrEqual(FRAME + length - STEP);
});
