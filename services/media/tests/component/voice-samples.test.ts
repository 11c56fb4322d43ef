// Long run: samples of voices.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { VoiceType } from '@najwa/proto/media';
import { estimatePitch } from '@najwa/proto/voice';
import { sample, shareMediaBed, type MediaBed } from './media-bed.js';
import { boxesOf, correlation, decode, inspect, pausesIn, RATE, type Sound } from './sound.js';

const OWNER = { userId: 1 };

/** In Hz. Messages vary around these. */
const TARGETS = { male: 118, female: 190 };
const VOICES = { male: VoiceType.VOICE_TYPE_MALE, female: VoiceType.VOICE_TYPE_FEMALE };

/** Metadata in the samples: people, devices, places, times and encoders. */
const TRACES = ['Omar', 'iPhone', '+24.71', '2024-04', 'Lavf', 'Lavc'];

let media: MediaBed;

beforeAll(async () => {
  media = await shareMediaBed();
});

afterAll(() => media.stop());

interface Altered {
  output: Sound;
  file: Buffer;
  duration: number;
  peaks: number[];
}

async function alter(recording: Buffer, voice: Voice, { isAltered = false } = {}): Promise<Altered> {
  const { name: stored, duration, peaks } = await media.morph(recording, { voiceType: VOICES[voice], isAltered });
  const { status, bytes } = await media.fetchSound(`/audio/stream/${stored}`, { identity: OWNER });
  expect(status).toBe(200);
  return { output: await decode(bytes), file: bytes, duration, peaks };
}

/** Creation time in the MP4 header. 0 means none. */
const createdAt = (file: Buffer): number => file.readUInt32BE(file.indexOf('mvhd') + 8);

const SPEECH = [
  'speech-en-woman-103.webm',
  'speech-en-man-1034.wav',
  'speech-en-woman-1069.mp4',
  'speech-en-man-1081.ogg',
  'speech-ar-1.webm',
  'speech-ar-noisy.webm',
  'speech-quiet.webm',
  'speech-clipped.webm',
  'speech-stereo.webm',
  'tagged.mp4',
  'with-video.webm',
];

type Voice = keyof typeof VOICES;

/** Each recording becomes one voice, and of each kind of recording there is one of either. */
const BECOMES = SPEECH.map((name, index): [name: string, voice: Voice] => [name, index % 2 === 0 ? 'male' : 'female']);

const alterations = new Map<string, Promise<Altered & { input: Sound }>>();

async function alterOnce(name: string, voice: Voice): Promise<Altered & { input: Sound }> {
  const recording = await sample(name);
  const [input, altered] = await Promise.all([decode(recording), alter(recording, voice)]);
  return { input, ...altered };
}

function alterationOf(name: string, voice: Voice): Promise<Altered & { input: Sound }> {
  const alteration = alterations.get(name) ?? alterOnce(name, voice);
  alterations.set(name, alteration);
  return alteration;
}

test.each(BECOMES)(
  '%s becomes a %s voice with the specified length, loudness and format, unlike the original',
  async (name, voice) => {
    const { input, output, file, duration, peaks } = await alterationOf(name, voice);

    expect(output.seconds).toBeGreaterThanOrEqual(input.seconds - pausesIn(input) - 0.02);
    expect(output.seconds).toBeLessThan(input.seconds * 1.08 + 0.1);
    expect(Math.abs(duration - output.seconds)).toBeLessThan(0.1);
    expect([peaks.length, Math.max(...peaks), Math.min(...peaks) >= 0]).toEqual([64, 100, true]);

    const { description, loudness, peak } = await inspect(file);
    expect(boxesOf(file)).toEqual(['ftyp', 'moov', 'free', 'mdat']);
    expect(description.match(/Stream #/g)).toHaveLength(1);
    expect(description).toMatch(/Audio: aac .*44100 Hz, mono/);
    expect(TRACES.filter((trace) => file.includes(trace))).toEqual([]);
    expect(createdAt(file)).toBe(0);

    expect(peak).toBeLessThan(-2);
    expect(Math.abs(loudness + 17)).toBeLessThan(2.5);
    expect(correlation(input.samples, output.samples)).toBeLessThan(0.3);
  },
);

test('a voice is altered differently each time', async () => {
  const name = 'speech-ar-1.webm';
  const [one, other] = await Promise.all([alterationOf(name, 'male'), alterOnce(name, 'male')]);
  expect(correlation(one.output.samples, other.output.samples)).toBeLessThan(0.5);
});

test.each(['tagged.mp4', 'speech-quiet.webm'])(
  '%s, marked as altered on the device, keeps its voice and length, and gets the specified loudness and format',
  async (name) => {
    const recording = await sample(name);
    const input = await decode(recording);
    const { output, file, duration, peaks } = await alter(recording, 'female', { isAltered: true });
    expect(correlation(input.samples, output.samples)).toBeGreaterThan(0.8);
    expect(Math.abs(output.seconds - input.seconds)).toBeLessThan(0.1);
    expect(Math.abs(duration - output.seconds)).toBeLessThan(0.1);
    expect([peaks.length, Math.max(...peaks)]).toEqual([64, 100]);
    const { description, loudness, peak } = await inspect(file);
    expect(description.match(/Stream #/g)).toHaveLength(1);
    expect(description).toMatch(/Audio: aac .*44100 Hz, mono/);
    expect(TRACES.filter((trace) => file.includes(trace))).toEqual([]);
    expect(peak).toBeLessThan(-2);
    expect(Math.abs(loudness + 17)).toBeLessThan(2.5);
  },
);

test('a preview has no influence on a recording altered on the device', async () => {
  const recording = await sample('speech-stereo.webm');
  expect((await media.preview(recording, { identity: { visitorId: 'visitor' } })).status).toBe(200);
  const input = await decode(recording);
  const { output } = await alter(recording, 'male', { isAltered: true });
  expect(correlation(input.samples, output.samples)).toBeGreaterThan(0.8);
});

test('a truncated recording is altered up to its end', async () => {
  const recording = await sample('truncated.webm');
  const input = await decode(recording);
  const { output, duration } = await alter(recording, 'female');
  expect(output.seconds).toBeGreaterThanOrEqual(input.seconds - pausesIn(input) - 0.02);
  expect(duration).toBeLessThan(input.seconds * 1.08);
});

test('accepts a recording of 0.3 seconds', async () => {
  expect((await alter(await sample('speech-0.3s.webm'), 'male')).output.seconds).toBeGreaterThanOrEqual(0.3);
});

/**
 * Uses the median, since one draw may lie far off and an estimate may be off by an octave. The other type's pitch is 0.39
 * away.
 */
test.each(['male', 'female'] as const)('altered voices have the pitch of a %s type', async (voice) => {
  const distances: number[] = [];
  for (const [name, becomes] of BECOMES) {
    if (becomes !== voice) continue;
    const { output } = await alterationOf(name, voice);
    distances.push(Math.abs(Math.log(estimatePitch(output.samples, RATE) / TARGETS[voice])));
  }
  const sorted = distances.sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(0.3);
});
