import { spawn } from 'node:child_process';
import { requiredVariable } from '@najwa/testing';

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

export async function decode(file: Buffer): Promise<Sound> {
  const { output } = await ffmpeg(
    ['-v', 'error', '-i', 'pipe:0', '-map', '0:a:0', '-ac', '1', '-ar', String(RATE), '-f', 'f32le', 'pipe:1'],
    file,
  );
  const samples = new Float32Array(Uint8Array.from(output).buffer);
  return { samples, seconds: samples.length / RATE };
}

export interface Inspection {
  /** ffmpeg's description of the streams and tags. */
  description: string;
  /** Integrated loudness in LUFS, by EBU R 128. */
  loudness: number;
  /** Largest absolute sample, in dBFS. */
  peak: number;
}

export async function inspect(file: Buffer): Promise<Inspection> {
  const { stderr } = await ffmpeg(['-i', 'pipe:0', '-af', 'ebur128=peak=sample', '-f', 'null', '-'], file);
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  return {
    description: stderr.slice(0, stderr.indexOf('Stream mapping:')),
    loudness: Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1]),
    peak: Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1]),
  };
}

/**
 * Highest correlation of two sounds at shifts of up to a tenth of a second, in steps far shorter than a period of the
 * voice.
 */
export function correlation(one: Float32Array, other: Float32Array): number {
  const reach = RATE / 10;
  const length = Math.min(one.length, other.length) - reach;
  const own = powerUpTo(one)[length] ?? 0;
  const power = powerUpTo(other);
  let highest = 0;
  for (let shift = 0; shift < reach; shift += 8) {
    let sum = 0;
    for (let index = 0; index < length; index += 1) sum += (one[index] ?? 0) * (other[index + shift] ?? 0);
    const shifted = (power[shift + length] ?? 0) - (power[shift] ?? 0);
    highest = Math.max(highest, Math.abs(sum) / Math.sqrt(own * shifted));
  }
  return highest;
}

/** Sums of the squared samples before each place. The power of any part is a difference of two. */
function powerUpTo(samples: Float32Array): Float64Array {
  const sums = new Float64Array(samples.length + 1);
  for (let index = 0; index < samples.length; index += 1)
    sums[index + 1] = (sums[index] ?? 0) + (samples[index] ?? 0) ** 2;
  return sums;
}

const SHORTEST_PAUSE = 0.2;
const WINDOW = RATE / 100;

/** In seconds, how much an alteration may take out of a sound: pauses, down to the shortest that it leaves. */
export function pausesIn({ samples }: Sound): number {
  const sums = powerUpTo(samples);
  const powers = Array.from({ length: Math.ceil(samples.length / WINDOW) }, (_, window) => {
    const end = Math.min((window + 1) * WINDOW, samples.length);
    return ((sums[end] ?? 0) - (sums[window * WINDOW] ?? 0)) / WINDOW;
  });
  const loud = powers.toSorted((one, other) => one - other)[Math.floor(0.95 * (powers.length - 1))] ?? 0;
  let [quiet, total] = [0, 0];
  for (const power of [...powers, Infinity]) {
    if (power < loud * 1e-3) quiet += WINDOW / RATE;
    else {
      total += Math.max(quiet - SHORTEST_PAUSE, 0);
      quiet = 0;
    }
  }
  return total;
}

/** Names of the top-level boxes of an MP4, in order. */
export function boxesOf(file: Buffer): string[] {
  const names: string[] = [];
  for (let offset = 0; offset + 8 <= file.length; offset += Math.max(8, file.readUInt32BE(offset)))
    names.push(file.toString('latin1', offset + 4, offset + 8));
  return names;
}
