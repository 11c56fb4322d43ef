import { expect, test } from '@jest/globals';
import { filter, highPass, lowPass } from './biquad.js';
import { blocksIn } from './blocks.js';
import { meanSquare } from './loudness.js';
import { estimatePitch } from './pitch.js';
import { retime } from './retime.js';

const RATE = 16_000;

/** Pulses through a resonance, two seconds long. */
function buzz(hertz: number): Float32Array {
  let [last, before, phase] = [0, 0, 0];
  return Float32Array.from({ length: 2 * RATE }, () => {
    phase += hertz / RATE;
    const pulse = phase >= 1 ? 0.3 : 0;
    if (phase >= 1) phase -= 1;
    const value = pulse + 1.8 * Math.cos((2 * Math.PI * 700) / RATE) * last - 0.81 * before;
    [before, last] = [last, value];
    return value;
  });
}

/** Changes pitch and length uniformly. */
function changed(sound: Float32Array, pitch: number, tempo: number): Float32Array {
  const pitches = new Float64Array(blocksIn(sound)).fill(pitch);
  const rhythm = { length: Math.round(sound.length / tempo), placeOf: (index: number) => index * tempo };
  return retime(sound, RATE, pitches, rhythm);
}

test.each([
  [110, 1.5, 0.94],
  [220, 0.65, 1],
  [150, 1, 0.97],
  [150, 1.2, 1.08],
])('%d Hz get another pitch, by %d, and another tempo, %d, and keep their power', (hertz, pitch, tempo) => {
  const sound = buzz(hertz);
  const result = changed(sound, pitch, tempo);
  expect(result).toHaveLength(Math.round(sound.length / tempo));
  expect(Math.abs(Math.log(estimatePitch(result, RATE) / (hertz * pitch)))).toBeLessThan(0.01);
  expect(Math.abs(Math.log(meanSquare(result) / meanSquare(sound)))).toBeLessThan(0.35);
  // Nothing is missing at the end.
  expect(meanSquare(result.subarray(-RATE / 10))).toBeGreaterThan(meanSquare(result) / 4);
});

test('a pitch that changes on the way comes where and as it should', () => {
  const sound = buzz(140);
  const pitches = new Float64Array(blocksIn(sound)).fill(0.9);
  pitches.fill(1.2, pitches.length / 2);
  const result = retime(sound, RATE, pitches, { length: sound.length, placeOf: (index) => index });
  expect(estimatePitch(result.subarray(0, 0.95 * RATE), RATE) / 140).toBeCloseTo(0.9, 1);
  expect(estimatePitch(result.subarray(1.05 * RATE), RATE) / 140).toBeCloseTo(1.2, 1);
});

test('what does not change keeps its samples', () => {
  const sound = buzz(130);
  const result = changed(sound, 1, 1);
  const rest = meanSquare(result.map((sample, index) => sample - (sound[index] ?? 0)));
  expect(rest).toBeLessThan(meanSquare(sound) / 1e4);
});

test.each([
  [lowPass(4200, RATE), 1000, 7000],
  [highPass(150, RATE), 1000, 20],
])('a filter passes one side and takes the other away (%#)', (biquad, passed, stopped) => {
  const tone = (hertz: number) =>
    Float32Array.from({ length: RATE }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / RATE));
  const kept = (hertz: number) => meanSquare(filter(tone(hertz), biquad)) / meanSquare(tone(hertz));
  expect(kept(passed)).toBeGreaterThan(0.95);
  expect(kept(stopped)).toBeLessThan(0.05);
  const [edge] = [biquad.b[1] > 0 ? 4200 : 150];
  expect(kept(edge)).toBeCloseTo(0.5, 1);
});
