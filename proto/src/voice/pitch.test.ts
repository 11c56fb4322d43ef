import { describe, expect, test } from '@jest/globals';
import { estimatePitch } from './pitch.js';

const RATE = 16_000;

/** A voice: six harmonics of decreasing strength, with a vibrato of 1 %. */
function voice(pitch: number, seconds: number): Float32Array {
  let phase = 0;
  return Float32Array.from({ length: seconds * RATE }, (_, index) => {
    phase += (2 * Math.PI * pitch * (1 + 0.01 * Math.sin((2 * Math.PI * 5 * index) / RATE))) / RATE;
    return [1, 2, 3, 4, 5, 6].reduce((sum, harmonic) => sum + (0.2 / harmonic) * Math.sin(harmonic * phase), 0);
  });
}

/** Deterministic noise. */
function noise(seconds: number, peak: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: seconds * RATE }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return peak * (state / 1_073_741_823.5 - 1);
  });
}

const add = (one: Float32Array, other: Float32Array): Float32Array =>
  one.map((sample, index) => sample + (other[index] ?? 0));

describe('estimatePitch', () => {
  test.each([80, 100, 128, 150, 195, 250, 330, 390])('finds a pitch of %i Hz', (pitch) => {
    expect(Math.abs(estimatePitch(voice(pitch, 1), RATE) / pitch - 1)).toBeLessThan(0.01);
  });

  test('finds the pitch when the fundamental is missing', () => {
    const samples = Float32Array.from({ length: RATE }, (_, index) =>
      [3, 4, 5].reduce((sum, harmonic) => sum + 0.2 * Math.sin((2 * Math.PI * 120 * harmonic * index) / RATE), 0),
    );
    expect(Math.abs(estimatePitch(samples, RATE) / 120 - 1)).toBeLessThan(0.01);
  });

  test('finds the pitch despite noise and pauses', () => {
    expect(Math.abs(estimatePitch(add(voice(110, 2), noise(2, 0.05)), RATE) / 110 - 1)).toBeLessThan(0.02);
    const pauses = Float32Array.from([...voice(210, 1), ...new Float32Array(5 * RATE)]);
    expect(Math.abs(estimatePitch(pauses, RATE) / 210 - 1)).toBeLessThan(0.02);
  });

  test('returns the median of a rising voice', () => {
    const rising = Float32Array.from([100, 120, 140].flatMap((pitch) => [...voice(pitch, 1)]));
    expect(Math.abs(estimatePitch(rising, RATE) / 120 - 1)).toBeLessThan(0.03);
  });

  test('does not depend on the volume', () => {
    expect(
      estimatePitch(
        voice(180, 1).map((sample) => sample / 1000),
        RATE,
      ),
    ).toBeCloseTo(estimatePitch(voice(180, 1), RATE), 3);
  });

  test.each([
    ['silence', new Float32Array(RATE)],
    ['noise', noise(2, 0.5)],
    ['nothing', new Float32Array(0)],
    ['a voice that is too short', voice(100, 0.2)],
  ])('falls back to 150 Hz for %s', (_name, samples) => {
    expect(estimatePitch(samples, RATE)).toBe(150);
  });
});
