import { describe, expect, test } from '@jest/globals';
import reference from '../../tests/data/reference-conversion.json' with { type: 'json' };
import { CEPSTRA } from './cepstrum.js';
import { convertSpeaker, measureVoice, type Conversion } from './conversion.js';
import { drawPseudoSpeaker, secureRandom, type PseudoSpeaker } from './draw.js';
import { measureEnvelopes, padToFrames } from './envelope.js';
import { meanSquare } from './loudness.js';
import { estimatePitch } from './pitch.js';
import { TYPICAL, TYPICAL_DEVIATION } from './speaker-model.js';
import { estimateWarp } from './vocal-tract.js';

const RATE = 16_000;
const SECONDS = 2;

/** Pulses of changing pitch with noise, through three resonances, of which two move by a share `reach`. */
function babble(tract = 1, reach = 1): Float32Array {
  const rings = [
    { hertz: (time: number) => 550 + reach * 200 * Math.sin(9 * time), radius: 0.97, last: 0, before: 0 },
    { hertz: (time: number) => 1500 + reach * 500 * Math.sin(7 * time), radius: 0.96, last: 0, before: 0 },
    { hertz: () => 2700, radius: 0.95, last: 0, before: 0 },
  ];
  let [state, phase] = [7, 0];
  return Float32Array.from({ length: SECONDS * RATE }, (_, index) => {
    const time = index / RATE;
    state = (state * 48_271) % 2_147_483_647;
    phase += (125 + 15 * Math.sin(3 * time)) / RATE;
    let sample = (phase >= 1 ? 0.3 : 0) + 0.002 * (state / 1_073_741_823.5 - 1);
    if (phase >= 1) phase -= 1;
    for (const ring of rings) {
      const angle = (2 * Math.PI * ring.hertz(time) * tract) / RATE;
      const value =
        (1 - ring.radius) * 2 * sample + 2 * ring.radius * Math.cos(angle) * ring.last - ring.radius ** 2 * ring.before;
      [ring.before, ring.last] = [ring.last, value];
      sample = value;
    }
    return sample;
  });
}

const speaker = (change: Partial<PseudoSpeaker> = {}): PseudoSpeaker => ({
  warp: 0.9,
  mean: [...TYPICAL.male.mean],
  swing: Array.from({ length: CEPSTRA }, () => 1),
  ...change,
});

const convert = (samples: Float32Array, conversion: Conversion): Float32Array =>
  convertSpeaker(measureVoice(samples), conversion);

const warpOf = (samples: Float32Array): number =>
  estimateWarp(measureEnvelopes(padToFrames(samples, 0.06 / Math.sqrt(meanSquare(samples)))));

/** Swing of the first coefficients, which follow the resonances. */
const movement = (samples: Float32Array): number =>
  measureVoice(samples)
    .deviation.slice(0, 6)
    .reduce((a, b) => a + b);

/** Share of the power that is different. */
const distance = (one: Float32Array, other: Float32Array): number =>
  meanSquare(one.map((sample, index) => sample - (other[index] ?? 0))) / meanSquare(one);

describe('convertSpeaker', () => {
  test('gives the samples of an independent implementation', () => {
    const recording = babble();
    // The reference increases the swing of each coefficient by this factor.
    const more = Math.exp(0.24);
    const swing = Array.from(
      measureVoice(recording).deviation,
      (own, order) => (more * own) / (TYPICAL_DEVIATION[order] ?? own),
    );
    const converted = convert(recording, { speaker: speaker({ swing }), formantRatios: Float64Array.of(0.9) });
    const scale = Math.sqrt(meanSquare(recording));
    expect(warpOf(recording)).toBeCloseTo(reference.warp, 4);
    reference.samples.forEach((sample, index) =>
      expect(Math.abs((converted[1000 + 613 * index] ?? 0) - sample) / scale).toBeLessThan(0.001),
    );
  });

  test('keeps length, power and pitch', () => {
    const recording = babble();
    const converted = convert(recording, {
      speaker: drawPseudoSpeaker('female', secureRandom),
      formantRatios: Float64Array.of(1.05),
    });
    expect(converted).toHaveLength(recording.length);
    expect(meanSquare(converted) / meanSquare(recording)).toBeCloseTo(1, 3);
    expect(Math.abs(estimatePitch(converted, RATE) / estimatePitch(recording, RATE) - 1)).toBeLessThan(0.03);
  });

  test('gives the requested vocal tract, for any original', () => {
    for (const tract of [0.9, 1.1]) {
      const warps = [0.86, 1.1].map((warp) =>
        warpOf(convert(babble(tract), { speaker: speaker({ warp }), formantRatios: Float64Array.of(1) })),
      );
      // The original tract is divided out: a longer result means higher frequencies.
      expect(warps[1] ?? 0).toBeGreaterThan((warps[0] ?? 0) + 0.1);
    }
  });

  test('gives lively and monotonous speakers the same swing', () => {
    const recordings = [1, 0.6].map((reach) => babble(1, reach));
    const apart = ([one, other]: Float32Array[]): number =>
      Math.abs(Math.log(movement(one ?? new Float32Array()) / movement(other ?? new Float32Array())));
    const converted = recordings.map((recording) =>
      convert(recording, { speaker: speaker(), formantRatios: Float64Array.of(1) }),
    );
    expect(apart(converted)).toBeLessThan(0.75 * apart(recordings));
  });

  test('two speakers sound more different from each other than one twice', () => {
    const recording = babble();
    const by = (drawn: PseudoSpeaker): Float32Array =>
      convert(recording, { speaker: drawn, formantRatios: Float64Array.of(1) });
    const one = drawPseudoSpeaker('male', secureRandom);
    expect(distance(by(one), by(one))).toBe(0);
    // Two of them may be similar by chance.
    const distances = Array.from({ length: 5 }, () => distance(by(one), by(drawPseudoSpeaker('male', secureRandom))));
    expect(Math.max(...distances)).toBeGreaterThan(0.02);
  });

  test.each([1, 100, 511, 4_800])('accepts %i samples', (length) => {
    const converted = convert(babble().subarray(0, length), { speaker: speaker(), formantRatios: Float64Array.of(1) });
    expect(converted).toHaveLength(length);
    expect(converted.every(Number.isFinite)).toBe(true);
  });

  test.each([100, 440, 3_333, 7_900])('stays finite for a pure tone of %i Hz', (hertz) => {
    const tone = Float32Array.from(
      { length: RATE },
      (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / RATE),
    );
    const converted = convert(tone, {
      speaker: drawPseudoSpeaker('male', secureRandom),
      formantRatios: Float64Array.of(0.9),
    });
    expect(converted.every(Number.isFinite)).toBe(true);
    expect(meanSquare(converted) / meanSquare(tone)).toBeCloseTo(1, 2);
  });
});

describe('estimateWarp', () => {
  test('follows the frequencies of the resonances', () => {
    const [long, middle, short] = [0.92, 1, 1.08].map((tract) => warpOf(babble(tract)));
    expect(middle ?? 0).toBeGreaterThan(long ?? 0);
    expect(short ?? 0).toBeGreaterThan(middle ?? 0);
  });
});
