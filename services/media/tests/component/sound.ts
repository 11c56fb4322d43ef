import { spawn } from 'node:child_process';
import { requiredVariable } from '@najwa/dev-env';

/** A decoded sound. */
export interface Sound {
  /** Mono, at `RATE`. */
  samples: Float32Array;
  seconds: number;
}

export const RATE = 16_000;

async function ffmpeg(args: string[], input: Buffer): Promise<{ output: Buffer; stderr: string }> {
  const child = spawn(requiredVariable('FFMPEG_BIN'), ['-nostdin', '-hide_banner', ...args]);
  child.stdin.on('error', () => undefined).end(input);
  const [output, stderr] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
  return { output: Buffer.concat(output as Buffer[]), stderr: Buffer.concat(stderr as Buffer[]).toString() };
}

/** @param rate may exceed the original rate, to measure peaks between samples */
export async function decode(file: Buffer, rate = RATE): Promise<Sound> {
  const { output } = await ffmpeg(
    ['-v', 'error', '-i', 'pipe:0', '-map', '0:a:0', '-ac', '1', '-ar', String(rate), '-f', 'f32le', 'pipe:1'],
    file,
  );
  const samples = new Float32Array(Uint8Array.from(output).buffer);
  return { samples, seconds: samples.length / rate };
}

/** Integrated loudness in LUFS, by EBU R 128. */
export async function loudness(file: Buffer): Promise<number> {
  const { stderr } = await ffmpeg(['-i', 'pipe:0', '-af', 'ebur128', '-f', 'null', '-'], file);
  return Number(/I:\s+(-?[\d.]+) LUFS/.exec(stderr.slice(stderr.lastIndexOf('Summary:')))?.[1]);
}

/** ffmpeg's description of the streams and tags in a file. */
export async function describeFile(file: Buffer): Promise<string> {
  return (await ffmpeg(['-i', 'pipe:0'], file)).stderr;
}

/** Largest absolute sample, in dBFS. */
export const peakOf = (samples: Float32Array): number =>
  20 * Math.log10(samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0));

/**
 * Highest correlation of two sounds at shifts of up to a tenth of a second, in steps far shorter than a period of the
 * voice.
 */
export function correlation(one: Float32Array, other: Float32Array): number {
  const reach = RATE / 10;
  const length = Math.min(one.length, other.length) - reach;
  const energy = (samples: Float32Array, start: number): number =>
    samples.subarray(start, start + length).reduce((sum, sample) => sum + sample * sample, 0);
  const own = Math.sqrt(energy(one, 0));
  let highest = 0;
  for (let shift = 0; shift < reach; shift += 8) {
    let sum = 0;
    for (let index = 0; index < length; index += 1) sum += (one[index] ?? 0) * (other[index + shift] ?? 0);
    highest = Math.max(highest, Math.abs(sum) / (own * Math.sqrt(energy(other, shift))));
  }
  return highest;
}

/** Names of the top-level boxes of an MP4, in order. */
export function boxesOf(file: Buffer): string[] {
  const names: string[] = [];
  for (let offset = 0; offset + 8 <= file.length; offset += Math.max(8, file.readUInt32BE(offset)))
    names.push(file.toString('latin1', offset + 4, offset + 8));
  return names;
}
