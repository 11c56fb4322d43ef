import { describe, expect, test } from '@jest/globals';
import { alterVoice } from './alter.js';
import { finish, LIMIT, prepare } from './steps.js';

const tone = (length: number, peak: number): Float32Array =>
  Float32Array.from({ length }, (_, index) => peak * Math.sin((2 * Math.PI * 200 * index) / 16_000));

/** Interleaved stereo. */
const stereo = (left: Float32Array, right = left): Float32Array =>
  Float32Array.from({ length: 2 * left.length }, (_, index) => (index % 2 ? right : left)[index >> 1] ?? 0);

const level = (samples: Float32Array): number => Math.hypot(...samples.subarray(0, 8_000));

describe('prepare', () => {
  test('finds the pitch of a quiet voice and raises its level', () => {
    const { samples, pitch } = prepare(stereo(tone(16_000, 0.01)));
    expect(pitch).toBeCloseTo(200, -1);
    expect(Math.max(...samples)).toBeGreaterThan(0.05);
  });

  test.each([
    ['silence', new Float32Array(16_000), true],
    ['the noise of a muted microphone', tone(16_000, 1e-4), true],
    ['a whisper', tone(16_000, 1e-3), false],
  ])('reports whether the recording is silent: %s', (_name, samples, isSilent) => {
    expect(prepare(stereo(samples)).isSilent).toBe(isSilent);
  });

  const silence = new Float32Array(16_000);
  const sound = tone(16_000, 0.1);
  const inverted = sound.map((sample) => -sample);

  test.each([
    ['the left channel alone', stereo(sound, silence)],
    ['the right channel alone', stereo(silence, sound)],
    ['channels of opposite phase', stereo(sound, inverted)],
    ['channels of opposite phase, one of them quieter', stereo(sound, tone(16_000, -0.09))],
    [
      'channels whose phase is opposite in half of the recording',
      stereo(
        sound,
        Float32Array.from(sound, (sample, index) => (index < 8_000 ? sample : -sample)),
      ),
    ],
  ])('hears %s as if both were the same', (_name, recorded) => {
    const heard = prepare(recorded);
    const both = prepare(stereo(sound));
    expect(heard.isSilent).toBe(false);
    for (const part of [0, 8_000]) {
      const [one, other] = [heard, both].map(({ samples }) => level(samples.subarray(part)));
      expect((one ?? 0) / (other ?? 1)).toBeCloseTo(1, 1);
    }
  });

  test('treats NaN as silence and clips infinite samples', () => {
    const recorded = tone(16_000, 0.1);
    recorded.set([Number.NaN, Infinity, -Infinity, 1e30], 500);
    const prepared = prepare(stereo(recorded));
    expect(prepared.samples.every(Number.isFinite)).toBe(true);
    const { peaks } = alterVoice(prepared, 'male');
    expect([peaks.every(Number.isFinite), Math.max(...peaks)]).toEqual([true, 100]);
  });
});

describe('finish', () => {
  test('brings a sound to the stored loudness', () => {
    const { pcm, peaks } = finish(tone(24_000, 0.1));
    const gain = 20 * Math.log10(Math.max(...pcm) / 32_767 / 0.1);
    expect(gain).toBeCloseTo(-16 + 23.7, 0);
    expect(Math.max(...peaks)).toBe(100);
  });

  test('keeps a loud moment below the limit', () => {
    const sound = tone(48_000, 0.02);
    sound.set(tone(1_600, 0.9), 20_000);
    const { pcm } = finish(sound);
    expect(Math.max(...pcm.map(Math.abs)) / 32_767).toBeLessThanOrEqual(LIMIT + 0.001);
  });

  test('leaves silence silent', () => {
    expect(finish(new Float32Array(24_000)).pcm.every((sample) => sample === 0)).toBe(true);
  });
});
