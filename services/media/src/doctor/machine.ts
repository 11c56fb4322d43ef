import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { ANALYSIS_RATE } from '@najwa/proto/voice';
import { Ffmpeg, type FfmpegOptions } from '../clients/ffmpeg.js';
import { decodeArguments, encodeArguments } from '../voice/arguments.js';
import { isOlder, Problem, type Checks } from './checks.js';

const MIN_NODE = '20.19';
const GIGABYTE = 1024 ** 3;
/** About the sum of the compose file's reservations. */
const MIN_MEMORY = 2 * GIGABYTE;
const MIN_DISK = 1 * GIGABYTE;

const gigabytes = (bytes: number): string => `${(bytes / GIGABYTE).toFixed(1)} GB`;

export async function checkMachine({ check }: Checks): Promise<void> {
  await check('Node.js', () => {
    const { node } = process.versions;
    if (isOlder(node, MIN_NODE)) throw new Problem(`It is version ${node}. Use ${MIN_NODE} or newer.`);
    return Promise.resolve(`version ${node}`);
  });
  await check('Memory', () => {
    const memory = totalmem();
    if (memory < MIN_MEMORY)
      throw new Problem(`This machine has ${gigabytes(memory)}. The whole system needs ${gigabytes(MIN_MEMORY)}.`);
    return Promise.resolve(gigabytes(memory));
  });
  await check('Disk', async () => {
    for (const folder of new Set([tmpdir(), process.cwd()])) {
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize < MIN_DISK)
        throw new Problem(`${folder} has ${gigabytes(bavail * bsize)} left. Free ${gigabytes(MIN_DISK)} there.`);
    }
    return `more than ${gigabytes(MIN_DISK)} free in ${tmpdir()} and ${process.cwd()}`;
  });
}

/** Codecs not covered by the trial, by the option that lists them. */
const PARTS = {
  '-decoders': ['opus|libopus', 'vorbis|libvorbis', 'pcm_s16le', 'pcm_s24le', 'pcm_f32le'],
  '-demuxers': [String.raw`\S*matroska\S*`, 'ogg', 'wav'],
};
const MAX_OUTPUT = 1024 * 1024;
const SECOND_OF_SILENCE = Buffer.alloc(2 * ANALYSIS_RATE);

/** Looks up codecs, then encodes and decodes a second as media does. */
export async function checkFfmpeg(options: FfmpegOptions, { check }: Checks): Promise<void> {
  const ffmpeg = new Ffmpeg(options);
  await check('ffmpeg', async () => {
    await ffmpeg.check();
    const missing: string[] = [];
    for (const [option, names] of Object.entries(PARTS)) {
      const text = (await ffmpeg.run({ args: ['-hide_banner', option], maxOutput: MAX_OUTPUT })).toString();
      for (const name of names) if (!new RegExp(` (${name}) `).test(text)) missing.push(`${option} ${name}`);
    }
    if (missing.length > 0) throw new Problem(`It lacks ${missing.join(', ')}. Use Debian's or that of ffmpeg-static.`);
    const folder = await mkdtemp(path.join(tmpdir(), 'najwa-doctor-'));
    try {
      const file = path.join(folder, 'silence.mp4');
      await ffmpeg.run({ args: encodeArguments(file), input: SECOND_OF_SILENCE, maxOutput: MAX_OUTPUT });
      const decoded = await ffmpeg.run({ args: decodeArguments(file, 'mov', 2), maxOutput: MAX_OUTPUT });
      if (decoded.length === 0) throw new Problem('It does not decode what it encoded.');
    } finally {
      await rm(folder, { recursive: true });
    }
    return 'all codecs, and a second of sound encoded and decoded';
  });
}
