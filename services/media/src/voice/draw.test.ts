import { describe, expect, test } from '@jest/globals';
import { drawBend, drawTransformation, secureRandom, TRANSFORM_RATE, type Transformation } from './draw.js';

const PITCHES = [60, 90, 110, 128, 150, 180, 195, 220, 265, 390];
const VOICES = ['male', 'female'] as const;
const DRAWS = 400;

const draws = <Value>(draw: () => Value): Value[] => Array.from({ length: DRAWS }, draw);
const formantRatio = ({ playedRate }: Transformation): number => playedRate / TRANSFORM_RATE;

test('draws McAdams coefficients on both sides of 1 and never near it', () => {
  const bends = draws(() => drawBend());
  expect(bends.filter((alpha) => alpha < 0.86 || alpha > 1.16 || (alpha > 0.95 && alpha < 1.05))).toEqual([]);
  expect(bends.filter((alpha) => alpha < 1).length / DRAWS).toBeCloseTo(0.45, 0);
  expect(new Set(bends).size).toBe(DRAWS);
});

describe.each(VOICES)('a transformation to a %s voice', (voice) => {
  test.each(PITCHES)('stays within its bounds for a pitch of %i Hz', (pitch) => {
    for (const drawn of draws(() => drawTransformation(voice, pitch))) {
      const ratio = formantRatio(drawn);
      expect(Number.isInteger(drawn.playedRate)).toBe(true);
      expect(ratio).toBeGreaterThan(0.789);
      expect(ratio).toBeLessThanOrEqual(1.24);
      expect(Math.abs(Math.log(ratio))).toBeGreaterThan(0.0749);
      expect(drawn.tempo * ratio).toBeGreaterThanOrEqual(0.94 - 1e-9);
      expect(drawn.tempo * ratio).toBeLessThanOrEqual(1);
      expect(drawn.pitch).toBeGreaterThanOrEqual(0.75);
      expect(drawn.pitch).toBeLessThanOrEqual(1.3);
      expect(drawn.gains).toHaveLength(7);
      expect(drawn.gains.filter((gain) => Math.abs(gain) > 8)).toEqual([]);
    }
  });

  test('moves voices of any pitch to the same target', () => {
    const target = { male: 128, female: 195 }[voice];
    for (const pitch of [100, 128, 160, 195]) {
      const heard = draws(() => drawTransformation(voice, pitch)).map((drawn) =>
        Math.log((pitch * formantRatio(drawn) * drawn.pitch) / target),
      );
      expect(Math.abs(heard.reduce((sum, value) => sum + value, 0) / DRAWS)).toBeLessThan(0.3);
    }
  });

  test('usually shifts the formants towards the chosen type when the pitch is already right', () => {
    const pitch = { male: 128, female: 195 }[voice];
    const ofType = draws(() => formantRatio(drawTransformation(voice, pitch))).filter((ratio) =>
      voice === 'female' ? ratio > 1 : ratio < 1,
    );
    expect(ofType.length / DRAWS).toBeGreaterThan(0.75);
    expect(ofType.length / DRAWS).toBeLessThan(0.99);
  });
});

test('draws finite values at both ends of the random range', () => {
  for (const random of [() => 0, () => 1 - Number.EPSILON]) {
    for (const pitch of PITCHES) {
      for (const voice of VOICES) {
        const drawn = drawTransformation(voice, pitch, random);
        expect([drawn.playedRate, drawn.tempo, drawn.pitch, ...drawn.gains].every(Number.isFinite)).toBe(true);
      }
    }
  }
});

test('random numbers are uniform', () => {
  const quarters = Array.from({ length: 4_000 }, () => Math.floor(secureRandom() * 4));
  for (const quarter of [0, 1, 2, 3])
    expect(Math.abs(quarters.filter((drawn) => drawn === quarter).length - 1000)).toBeLessThan(200);
});
