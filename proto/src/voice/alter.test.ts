// Long run: whole recordings are altered.
import { describe, expect, test } from '@jest/globals';
import { alterVoice } from './alter.js';
import { blocksIn } from './blocks.js';
import { disguise } from './disguise.js';
import type { VoiceType } from './draw.js';
import { drawMelody } from './melody.js';
import { estimatePitch } from './pitch.js';
import { ANALYSIS_RATE } from './rates.js';
import { LONGEST_STRETCH } from './rhythm.js';
import { LIMIT, prepare } from './steps.js';
import { writeWav } from './wav.js';

/** The same numbers each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Four seconds of pulses at a changing pitch through moving resonances, in stereo. */
function babble(): Float32Array {
  const seconds = 4;
  const rings = [
    { hertz: (time: number) => 550 + 200 * Math.sin(9 * time), radius: 0.97, last: 0, before: 0 },
    { hertz: (time: number) => 1500 + 500 * Math.sin(7 * time), radius: 0.96, last: 0, before: 0 },
    { hertz: () => 2700, radius: 0.95, last: 0, before: 0 },
  ];
  let phase = 0;
  const stereo = new Float32Array(2 * seconds * ANALYSIS_RATE);
  for (let index = 0; index < seconds * ANALYSIS_RATE; index += 1) {
    const time = index / ANALYSIS_RATE;
    phase += (125 + 15 * Math.sin(3 * time)) / ANALYSIS_RATE;
    let sample = phase >= 1 ? 0.3 : 0;
    if (phase >= 1) phase -= 1;
    for (const ring of rings) {
      const angle = (2 * Math.PI * ring.hertz(time)) / ANALYSIS_RATE;
      sample += 2 * ring.radius * Math.cos(angle) * ring.last - ring.radius ** 2 * ring.before;
      [ring.before, ring.last] = [ring.last, sample];
    }
    stereo[2 * index] = stereo[2 * index + 1] = sample / 40;
  }
  return stereo;
}

const recorded = babble();
const floats = (pcm: Int16Array) => Float32Array.from(pcm, (sample) => sample / 32_768);

describe.each<VoiceType>(['male', 'female'])('the alteration of a voice to %s', (voiceType) => {
  test('an altered voice has the drawn pitch and length, is not too loud, and has a waveform', () => {
    const prepared = prepare(recorded);
    const { samples, pitch, track } = prepared;
    const random = numbers(7);
    const melody = drawMelody({ track, mean: pitch, blocks: blocksIn(samples) }, random);
    const { pitches } = disguise(samples, { voiceType, pitch, melody, random });
    const middle = [...pitches].sort((one, other) => one - other)[pitches.length >> 1] ?? 0;
    const shares: number[] = [];
    const { pcm, peaks } = alterVoice(prepared, voiceType, {
      random: numbers(7),
      onProgress: (share) => shares.push(share),
    });
    expect(pcm.length).toBeLessThanOrEqual(LONGEST_STRETCH * samples.length);
    expect(pcm.length).toBeGreaterThanOrEqual(samples.length);
    const heard = estimatePitch(floats(pcm), ANALYSIS_RATE);
    expect(Math.abs(Math.log(heard / (pitch * middle)))).toBeLessThan(0.05);
    expect(Math.max(...floats(pcm).map(Math.abs))).toBeLessThanOrEqual(LIMIT + 0.001);
    expect([peaks.length, Math.max(...peaks)]).toEqual([64, 100]);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  test('differs each time, and depends on nothing but the draws', () => {
    const prepared = prepare(recorded);
    const altered = (random?: () => number) => alterVoice(prepared, voiceType, random && { random }).pcm;
    expect(altered(numbers(3))).toEqual(altered(numbers(3)));
    expect(altered()).not.toEqual(altered());
  });
});

test('a WAV file has its samples after a header that names rate and length', () => {
  const file = Buffer.from(writeWav(Int16Array.of(1, -2, 32_767), ANALYSIS_RATE));
  expect(file.subarray(0, 4).toString()).toBe('RIFF');
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  expect(file.subarray(8, 16).toString()).toBe('WAVEfmt ');
  expect([file.readUInt32LE(24), file.readUInt32LE(28), file.readUInt16LE(34)]).toEqual([16_000, 32_000, 16]);
  expect([file.readUInt32LE(40), file.readInt16LE(44), file.readInt16LE(46), file.readInt16LE(48)]).toEqual([
    6, 1, -2, 32_767,
  ]);
});
