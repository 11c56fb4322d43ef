import { describe, expect, test } from '@jest/globals';
import { BLOCK } from './blocks.js';
import { secureRandom } from './draw.js';
import { ANALYSIS_RATE } from './rates.js';
import { drawRhythm, LONGEST_STRETCH, type Rhythm } from './rhythm.js';

const DRAWS = 16;

/** Sampling interval of places. */
const EVERY = 16;

/** Alternating tones and silences of these lengths, tone first. */
function parts(...seconds: number[]): Float32Array {
  const sounds = seconds.map((duration, number) =>
    Array.from({ length: duration * ANALYSIS_RATE }, (_, index) => (number % 2 ? 0 : 0.1 * Math.sin(index / 12))),
  );
  return Float32Array.from(sounds.flat());
}

const draws = (samples: Float32Array): Rhythm[] =>
  Array.from({ length: DRAWS }, () => drawRhythm(samples, secureRandom));

/** Seconds of the result from a part of the recording. */
function secondsFrom({ length, placeOf }: Rhythm, from: number, to: number): number {
  let count = 0;
  for (let index = 0; index < length; index += EVERY) {
    const place = placeOf(index) / ANALYSIS_RATE;
    if (place >= from && place < to) count += 1;
  }
  return (count * EVERY) / ANALYSIS_RATE;
}

describe('a drawn rhythm', () => {
  test.each([0.25, 0.5, 2])('brings a pause of %d s into 0.2 to 0.6 s, never longer than it was', (pause) => {
    const recording = parts(1, pause, 1);
    const seconds = draws(recording).map((rhythm) => secondsFrom(rhythm, 1, 1 + pause));
    expect(Math.min(...seconds)).toBeGreaterThan(0.19);
    expect(Math.max(...seconds)).toBeLessThan(Math.min(pause, 0.6) + 0.01);
    expect(Math.max(...seconds) - Math.min(...seconds)).toBeGreaterThan(0.02);
  });

  test('takes a pause out of its middle, and leaves what is next to speech', () => {
    for (const { length, placeOf } of draws(parts(1, 2, 1))) {
      const places = Array.from({ length: length / EVERY }, (_, index) => placeOf(index * EVERY) / ANALYSIS_RATE);
      const jumps = places.flatMap((place, index) => (place - (places[index - 1] ?? 0) > 0.1 ? [index] : []));
      expect(jumps).toHaveLength(1);
      expect(places[(jumps[0] ?? 0) - 1]).toBeGreaterThan(1.09);
      expect(places[jumps[0] ?? 0]).toBeLessThan(2.92);
    }
  });

  test('leaves the silence before a plosive', () => {
    for (const rhythm of draws(parts(0.5, 0.15, 0.5))) expect(secondsFrom(rhythm, 0.5, 0.65)).toBeGreaterThan(0.138);
  });

  test('drifts by up to 8 % within a message, both ways, and gives speech no less time', () => {
    const seconds = 6;
    const recording = parts(seconds);
    const changes = draws(recording).map((rhythm) => {
      expect(rhythm.length).toBeGreaterThanOrEqual(recording.length);
      expect(rhythm.length).toBeLessThanOrEqual(LONGEST_STRETCH * recording.length);
      return Array.from({ length: seconds }, (_, second) => secondsFrom(rhythm, second, second + 1) - 1);
    });
    expect(Math.max(...changes.flat().map(Math.abs))).toBeLessThanOrEqual(0.081);
    for (const one of changes) expect(Math.max(...one) - Math.min(...one)).toBeGreaterThan(0.01);
    expect(changes.filter((one) => Math.min(...one) < -0.002).length).toBeGreaterThan(DRAWS / 4);
  });

  test.each([
    ['nothing', new Float32Array(0)],
    ['silence', new Float32Array(1000)],
    ['less than a block', parts(0.005)],
  ])('goes from the first to the last sample of %s', (_name, recording) => {
    const { length, placeOf } = drawRhythm(recording, secureRandom);
    // The last block drifts as a whole, even if the recording ends within it. Lengths are rounded to samples.
    const gain = (LONGEST_STRETCH - 1) * Math.ceil(recording.length / BLOCK) * BLOCK;
    expect(length).toBeGreaterThanOrEqual(recording.length);
    expect(length).toBeLessThanOrEqual(Math.round(recording.length + gain));
    expect(placeOf(0)).toBe(0);
    expect(placeOf(length)).toBeLessThanOrEqual(recording.length);
  });
});
