// Long run: whole recordings are altered.
import { describe, expect, test } from '@jest/globals';
import { measureVoice } from './conversion.js';
import { createDistance, disguise, DRAWS, type Draw } from './disguise.js';
import { drawPitch, drawPseudoSpeaker, secureRandom, type VoiceType } from './draw.js';
import { meanSquare } from './loudness.js';
import { ANALYSIS_RATE } from './rates.js';

const PITCH = 125;
const VOICES: VoiceType[] = ['male', 'female'];

/** A melody that stays as it is. */
const LEVEL = Float64Array.of(1);

/** Two seconds of pulses through two resonances, of which one moves. */
function babble(): Float32Array {
  const rings = [
    { hertz: (time: number) => 550 + 200 * Math.sin(9 * time), last: 0, before: 0 },
    { hertz: () => 1700, last: 0, before: 0 },
  ];
  return Float32Array.from({ length: 2 * ANALYSIS_RATE }, (_, index) => {
    let sample = index % Math.round(ANALYSIS_RATE / PITCH) === 0 ? 0.3 : 0;
    for (const ring of rings) {
      const angle = (2 * Math.PI * ring.hertz(index / ANALYSIS_RATE)) / ANALYSIS_RATE;
      const value = 0.05 * sample + 1.94 * Math.cos(angle) * ring.last - 0.9409 * ring.before;
      [ring.before, ring.last] = [ring.last, value];
      sample = value;
    }
    return sample;
  });
}

/** The same numbers each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const recording = babble();
const voice = measureVoice(recording);

const drawOf = (voiceType: VoiceType, random: () => number): Draw => ({
  speaker: drawPseudoSpeaker(voiceType, random),
  pitch: drawPitch(voiceType, PITCH, random),
});

describe.each(VOICES)('a disguise as a %s voice', (voiceType) => {
  test.each([1, 2, 3, 4])('takes the speaker of all draws who ends farthest from the sender, %i', (seed) => {
    const random = numbers(seed);
    const distanceTo = createDistance(voice);
    const draws = Array.from({ length: DRAWS }, () => drawOf(voiceType, random));
    const distances = draws.map(distanceTo);
    const farthest = draws[distances.indexOf(Math.max(...distances))];

    const melody = Float64Array.of(1, 0.9);
    const { pitches } = disguise(recording, { voiceType, pitch: PITCH, melody, random: numbers(seed) });
    expect([...pitches]).toEqual([farthest?.pitch, 0.9 * (farthest?.pitch ?? 0)]);
  });

  test('keeps length and power', () => {
    const { samples } = disguise(recording, { voiceType, pitch: PITCH, melody: LEVEL, random: secureRandom });
    expect(samples).toHaveLength(recording.length);
    expect(meanSquare(samples) / meanSquare(recording)).toBeCloseTo(1, 3);
  });

  test('a disguise is never the same twice', () => {
    const disguised = Array.from({ length: 8 }, () =>
      disguise(recording, { voiceType, pitch: PITCH, melody: LEVEL, random: secureRandom }),
    );
    expect(new Set(disguised.map(({ samples }) => samples[ANALYSIS_RATE])).size).toBe(8);
  });

  test.each([0, 4_800])('leaves %i silent samples silent', (length) => {
    const silence = new Float32Array(length);
    const { samples } = disguise(silence, { voiceType, pitch: PITCH, melody: LEVEL, random: secureRandom });
    expect(samples).toEqual(silence);
  });
});

describe('the distance from a sender', () => {
  const distanceTo = createDistance(voice);
  const same: Draw = {
    speaker: { warp: voice.warp, mean: [...voice.mean], swing: [] },
    pitch: 1,
  };

  test('the distance of the sender is zero', () => {
    expect(distanceTo(same)).toBeCloseTo(0, 6);
  });

  test('counts three semitones as one, up and down', () => {
    for (const pitch of [2 ** (3 / 12), 2 ** (-3 / 12)]) expect(distanceTo({ ...same, pitch })).toBeCloseTo(1, 6);
  });

  test('counts a vocal tract 18 % longer or shorter as one, where no spectrum changes', () => {
    const flat = Array.from({ length: voice.mean.length }, () => 0);
    const level = { ...voice, mean: Float64Array.from(flat), longTerm: voice.longTerm.map(() => 0) };
    for (const factor of [1.18, 1 / 1.18])
      expect(
        createDistance(level)({ speaker: { warp: voice.warp * factor, mean: flat, swing: [] }, pitch: 1 }),
      ).toBeCloseTo(1, 6);
  });

  test('grows with the difference of the vocal tract and of the long-term spectrum', () => {
    const { speaker } = same;
    const withWarp = (factor: number): number =>
      distanceTo({ ...same, speaker: { ...speaker, warp: voice.warp * factor } });
    const withTilt = (tilt: number): number =>
      distanceTo({
        ...same,
        speaker: { ...speaker, mean: speaker.mean.map((value, order) => (order ? value : value + tilt)) },
      });
    expect(withWarp(1.05)).toBeGreaterThan(0.05);
    expect(withWarp(1.15)).toBeGreaterThan(withWarp(1.05));
    expect(withTilt(0.5)).toBeGreaterThan(0.05);
    expect(withTilt(1)).toBeCloseTo(2 * withTilt(0.5), 6);
  });
});
