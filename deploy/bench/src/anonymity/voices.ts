import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { createVoiceChanger, Ffmpeg, PrivateFiles, VoiceThreads } from '@najwa/media/voice-pipeline';
import type { VoiceType } from '@najwa/proto/voice';
import { RATE } from './features.js';

/** Messages of a few seconds are common, and hardest for a recogniser. */
const MAX_SECONDS = sizes({ full: 10, smoke: 2 });
const MAX_BYTES = 64 * 1024 * 1024;

/** The usual voice changer: other speed, tempo restored. */
const SHIFT_SEMITONES: Record<VoiceType, number> = { male: -4, female: 4 };

export interface Voices {
  original(path: string): Promise<Float32Array>;
  /** By the same amount for every voice. */
  shifted(path: string, voiceType: VoiceType): Promise<Float32Array>;
  /** The complete alteration, stored and decoded. */
  altered(path: string, voiceType: VoiceType): Promise<Float32Array>;
  close(): Promise<void>;
}

export async function createVoices(program: string): Promise<Voices> {
  const files = new PrivateFiles(tmpdir());
  await files.prepare();
  const threads = new VoiceThreads();
  const ffmpeg = new Ffmpeg({ program, path: process.env['PATH'] ?? '' });
  await ffmpeg.check();
  const changer = createVoiceChanger({
    ffmpeg,
    files,
    threads,
    enqueue: (_, run) => run(),
    spend: () => Promise.resolve(),
  });

  const decode = async (input: string | Buffer, filters: string, format: 'f32le' | 'wav'): Promise<Buffer> => {
    const source = typeof input === 'string' ? input : 'pipe:0';
    const running = promisify(execFile)(
      program,
      [
        ...['-nostdin', '-v', 'error', '-t', String(MAX_SECONDS), '-i', source, '-map', '0:a:0', '-ac', '1'],
        ...['-af', `${filters}aresample=${RATE}`, '-f', format, 'pipe:1'],
      ],
      { encoding: 'buffer', maxBuffer: MAX_BYTES },
    );
    if (typeof input !== 'string') running.child.stdin?.on('error', () => undefined).end(input);
    return (await running).stdout;
  };
  const samplesOf = async (input: string | Buffer, filters = ''): Promise<Float32Array> =>
    new Float32Array(Uint8Array.from(await decode(input, filters, 'f32le')).buffer);

  return {
    original: (path) => samplesOf(path),
    shifted(path, voiceType) {
      const factor = 2 ** (SHIFT_SEMITONES[voiceType] / 12);
      return samplesOf(path, `aresample=${RATE},asetrate=${Math.round(RATE * factor)},atempo=${1 / factor},`);
    },
    async altered(path, voiceType) {
      const recording = await decode(path, '', 'wav');
      const file = await files.create();
      await file.append(recording);
      const { bytes } = await changer.change({
        recording: { file, head: recording, digest: '' },
        voiceType,
        isAltered: false,
        senderKey: '',
      });
      return samplesOf(bytes);
    },
    close: () => threads.close(),
  };
}
