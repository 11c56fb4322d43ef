import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { VoiceType } from '@najwa/proto/media';
import { estimatePitch } from '../../src/voice/pitch.js';
import { sample, startMediaBed, type MediaBed } from './media-bed.js';
import { boxesOf, correlation, decode, describeFile, loudness, peakOf, RATE, type Sound } from './sound.js';

const OWNER = { userId: 1 };

/** In Hz. Messages vary around these. */
const TARGETS = { male: 128, female: 195 };
const VOICES = { male: VoiceType.VOICE_TYPE_MALE, female: VoiceType.VOICE_TYPE_FEMALE };

/** Metadata in the samples: people, devices, places, times and encoders. */
const TRACES = ['Omar', 'iPhone', '+24.71', '2024-04', 'Lavf', 'Lavc'];

let media: MediaBed;

beforeAll(async () => {
  media = await startMediaBed();
});

afterAll(() => media.stop());

interface Altered {
  input: Sound;
  output: Sound;
  file: Buffer;
  duration: number;
  peaks: number[];
}

async function alter(name: string, voice: keyof typeof VOICES): Promise<Altered> {
  const recording = await sample(name);
  const { name: stored, duration, peaks } = await media.morph(recording, { voiceType: VOICES[voice] });
  const { status, bytes } = await media.fetchSound(`/audio/stream/${stored}`, { identity: OWNER });
  expect(status).toBe(200);
  return { input: await decode(recording), output: await decode(bytes), file: bytes, duration, peaks };
}

/** Creation time in the MP4 header. 0 means none. */
const createdAt = (file: Buffer): number => file.readUInt32BE(file.indexOf('mvhd') + 8);

const SPEECH = [
  'speech-en-woman-103.webm',
  'speech-en-man-1034.wav',
  'speech-en-woman-1069.mp4',
  'speech-en-man-1081.ogg',
  'speech-ar-1.webm',
  'speech-ar-2.mp4',
  'speech-ar-3.ogg',
  'speech-ar-noisy.webm',
  'speech-quiet.webm',
  'speech-clipped.webm',
  'speech-stereo.webm',
  'tagged.mp4',
  'with-video.webm',
];

describe.each(SPEECH)('%s', (name) => {
  test.each(['male', 'female'] as const)(
    'becomes a %s voice with the specified length, loudness and format, unlike the original',
    async (voice) => {
      const { input, output, file, duration, peaks } = await alter(name, voice);

      expect(output.seconds).toBeGreaterThanOrEqual(input.seconds - 0.02);
      expect(output.seconds).toBeLessThan(input.seconds * 1.08 + 0.1);
      expect(Math.abs(duration - output.seconds)).toBeLessThan(0.1);
      expect([peaks.length, Math.max(...peaks), Math.min(...peaks) >= 0]).toEqual([64, 100, true]);

      expect(boxesOf(file)).toEqual(['ftyp', 'moov', 'free', 'mdat']);
      const description = await describeFile(file);
      expect(description.match(/Stream #/g)).toHaveLength(1);
      expect(description).toMatch(/Audio: aac .*44100 Hz, mono/);
      expect(TRACES.filter((trace) => file.includes(trace))).toEqual([]);
      expect(createdAt(file)).toBe(0);

      expect(peakOf((await decode(file, 44_100)).samples)).toBeLessThan(-0.5);
      expect(Math.abs((await loudness(file)) + 17)).toBeLessThan(2.5);
      expect(correlation(input.samples, output.samples)).toBeLessThan(0.3);

      const [before, after] = [estimatePitch(input.samples, RATE), estimatePitch(output.samples, RATE)];
      const away = (pitch: number): number => Math.abs(Math.log(pitch / TARGETS[voice]));
      expect(away(after)).toBeLessThan(Math.max(away(before), 0.25));
    },
  );
});

test('is altered differently each time', async () => {
  const altered = await Promise.all([1, 2].map(() => alter('speech-ar-1.webm', 'female')));
  const [one, other] = altered.map(({ output }) => output.samples) as [Float32Array, Float32Array];
  expect(correlation(one, other)).toBeLessThan(0.5);
});

test('a truncated recording is altered up to where it ends', async () => {
  const { input, output, duration } = await alter('truncated.webm', 'female');
  expect(output.seconds).toBeGreaterThanOrEqual(input.seconds - 0.02);
  expect(duration).toBeLessThan(input.seconds * 1.08);
});

test('accepts a recording of 0.3 seconds', async () => {
  expect((await alter('speech-0.3s.webm', 'male')).output.seconds).toBeGreaterThanOrEqual(0.3);
});
