import { describe, expect, test } from '@jest/globals';
import { drawPitch, drawPseudoSpeaker, secureRandom, type PseudoSpeaker } from './draw.js';
import { SPEAKER_SPREAD, TYPICAL } from './speaker-model.js';

const VOICES = ['male', 'female'] as const;
const PITCHES = [60, 90, 118, 150, 205, 260, 400] as const;
const DRAWS = 400;

const draws = <Value>(draw: () => Value): Value[] => Array.from({ length: DRAWS }, draw);
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: number[]): number => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));

describe.each(VOICES)('the pitch of a %s voice', (voice) => {
  test.each(PITCHES)('stays within its bounds for a pitch of %i Hz', (pitch) => {
    for (const drawn of draws(() => drawPitch(voice, pitch, secureRandom))) {
      expect(drawn).toBeGreaterThanOrEqual(0.55);
      expect(drawn).toBeLessThanOrEqual(1.8);
    }
  });

  test('moves voices of any pitch towards the same target', () => {
    const target = { male: 118, female: 190 }[voice];
    for (const pitch of [100, 128, 160, 195]) {
      const drawn = draws(() => drawPitch(voice, pitch, secureRandom));
      const left = drawn.map((one) => Math.log((pitch * one) / target));
      expect(Math.abs(mean(left))).toBeLessThan(Math.max(0.06, 0.5 * Math.abs(Math.log(pitch / target))));
    }
    expect(new Set(draws(() => drawPitch(voice, target, secureRandom))).size).toBe(DRAWS);
  });
});

describe.each(VOICES)('a %s pseudo-speaker', (voice) => {
  const speakers = draws(() => drawPseudoSpeaker(voice, secureRandom));
  const column = (index: number): number[] => speakers.map((speaker) => speaker.mean[index] ?? 0);

  test('varies about the typical speaker, more than real speakers do', () => {
    const error = mean(column(0)) - (TYPICAL[voice].mean[0] ?? 0);
    expect(Math.abs(error)).toBeLessThan((4 * deviation(column(0))) / Math.sqrt(DRAWS));
    expect(deviation(column(0))).toBeGreaterThan(1.1 * (SPEAKER_SPREAD[0] ?? Infinity));
  });

  test('a pseudo-speaker has a vocal tract and swings within bounds', () => {
    for (const { warp, swing } of speakers) {
      expect(warp).toBeGreaterThanOrEqual(0.8);
      expect(warp).toBeLessThanOrEqual(1.2);
      expect(swing.every((value) => value > 0.5 && value < 1.7)).toBe(true);
    }
    expect(deviation(speakers.map(({ warp }) => warp))).toBeGreaterThan(0.04);
  });

  test('a pseudo-speaker is never the same twice', () => {
    expect(new Set(speakers.map((speaker) => JSON.stringify(speaker))).size).toBe(DRAWS);
  });
});

test('a woman has a shorter vocal tract and a higher pitch than any man, for every speaker', () => {
  const warps = (voice: (typeof VOICES)[number]): number[] => draws(() => drawPseudoSpeaker(voice, secureRandom).warp);
  expect(Math.min(...warps('female'))).toBeGreaterThanOrEqual(Math.max(...warps('male')));
  for (const pitch of [90, 128, 195, 250]) {
    const hertz = (voice: (typeof VOICES)[number]): number[] =>
      draws(() => pitch * drawPitch(voice, pitch, secureRandom));
    expect(Math.min(...hertz('female'))).toBeGreaterThan(Math.max(...hertz('male')));
  }
});

test('draws finite values at both ends of the random range', () => {
  const numbers = ({ warp, mean: cepstrum, swing }: PseudoSpeaker): number[] => [warp, ...cepstrum, ...swing];
  for (const random of [() => 0, () => 1 - Number.EPSILON]) {
    for (const voice of VOICES) {
      expect(numbers(drawPseudoSpeaker(voice, random)).every(Number.isFinite)).toBe(true);
      expect(PITCHES.map((pitch) => drawPitch(voice, pitch, random)).every(Number.isFinite)).toBe(true);
    }
  }
});

test('random numbers are uniform', () => {
  const quarters = Array.from({ length: 4_000 }, () => Math.floor(secureRandom() * 4));
  for (const quarter of [0, 1, 2, 3])
    expect(Math.abs(quarters.filter((drawn) => drawn === quarter).length - 1000)).toBeLessThan(200);
});
