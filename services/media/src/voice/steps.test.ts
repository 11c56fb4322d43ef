import { describe, expect, test } from '@jest/globals';
import { drawPseudoSpeaker } from './draw.js';
import { convert, measure, prepare } from './steps.js';

const tone = (length: number, peak: number): Float32Array =>
  Float32Array.from({ length }, (_, index) => peak * Math.sin((2 * Math.PI * 200 * index) / 16_000));

describe('prepare', () => {
  test('finds the pitch of a quiet voice and raises its level', () => {
    const { samples, pitch } = prepare(tone(16_000, 0.01));
    expect(pitch).toBeCloseTo(200, -1);
    expect(Math.max(...samples)).toBeGreaterThan(0.05);
  });

  test.each([
    ['silence', new Float32Array(16_000), true],
    ['the noise of a muted microphone', tone(16_000, 1e-4), true],
    ['a whisper', tone(16_000, 1e-3), false],
  ])('reports whether the recording is silent: %s', (_name, samples, isSilent) => {
    expect(prepare(samples).isSilent).toBe(isSilent);
  });

  test('treats NaN as silence and clips infinite samples', () => {
    const recorded = tone(16_000, 0.1);
    recorded.set([Number.NaN, Infinity, -Infinity, 1e30], 500);
    const { samples } = prepare(recorded);
    expect(samples.every(Number.isFinite)).toBe(true);
    const converted = convert({ samples, speaker: drawPseudoSpeaker('male'), formantRatio: 1.1 });
    expect(converted.every(Number.isFinite)).toBe(true);
  });
});

describe('measure', () => {
  test('returns the gain that brings a sound to the stored loudness', () => {
    const { gain, peaks } = measure(Int16Array.from(tone(24_000, 0.1), (sample) => sample * 32_768));
    expect(gain).toBeCloseTo(-16 + 23.7, 0);
    expect(Math.max(...peaks)).toBe(100);
  });

  test('returns no gain for silence', () => {
    expect(measure(new Int16Array(24_000)).gain).toBe(0);
  });
});
