import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { RATE } from './features.js';
import { createVoices } from './voices.js';

/** Four speakers in English, three in Arabic, one over noise, one too quiet, one clipped. */
const SAMPLES = [
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
] as const;

/** Root mean square of every sound, so that quiet ones show too. */
const SHOWN_LEVEL = 0.1;

const CUT = 'apad=whole_dur=5,atrim=end=5';
const SPECTRUM = 'showspectrumpic=s=300x80:legend=0:stop=5000:scale=log:color=magma:drange=68';
const LEVEL = 'showwavespic=s=300x26:scale=sqrt:colors=0x3b5b9d';

/** Few, so that the picture stays small. */
const COLOURS = 10;

const PICTURE = fileURLToPath(new URL('../../../../docs/voice/ten-samples.png', import.meta.url));
const sampleFolder = fileURLToPath(new URL('../../../../services/media/tests/samples/', import.meta.url));
const ffmpeg = process.env['FFMPEG_BIN'] ?? 'ffmpeg';

/**
 * Draws spectrograms and level curves of ten samples into `docs/voice`: as recorded, as another version altered them, and
 * as they are altered now.
 * @param otherFolder has those of the other version, with the names of the samples and `.wav`. Without it, there are
 * two columns.
 */
async function draw(otherFolder: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'najwa-picture-'));
  const voices = await createVoices(ffmpeg);
  try {
    const save = async (name: string, sound: Float32Array): Promise<string> => {
      const file = join(folder, name);
      const power = sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length;
      await writeFile(
        file,
        sound.map((sample) => (sample * SHOWN_LEVEL) / Math.sqrt(power)),
      );
      return file;
    };
    const rows: string[][] = [];
    for (const [row, name] of SAMPLES.entries()) {
      const recording = join(sampleFolder, name);
      const sounds = [await voices.original(recording)];
      if (otherFolder !== undefined) sounds.push(await voices.original(join(otherFolder, `${name}.wav`)));
      sounds.push(await voices.altered(recording, row % 2 === 0 ? 'male' : 'female'));
      rows.push(await Promise.all(sounds.map((sound, column) => save(`${row}-${column}.f32`, sound))));
    }
    await promisify(execFile)(ffmpeg, pictureArguments(rows));
  } finally {
    await voices.close();
    await rm(folder, { recursive: true });
  }
}

function pictureArguments(rows: readonly (readonly string[])[]): string[] {
  const files = rows.flat();
  const cells = files.map((_, file) =>
    [
      `[${file}:a]aformat=channel_layouts=mono,${CUT},asplit[sound${file}][same${file}]`,
      `[sound${file}]${SPECTRUM}[spectrum${file}]`,
      `[same${file}]${LEVEL},format=rgb24[level${file}]`,
      `[spectrum${file}][level${file}]vstack,pad=iw+4:ih+4:2:2:white[c${file}]`,
    ].join(';'),
  );
  const lines = rows.map((row, number) => {
    const inputs = row.map((_, column) => `[c${number * row.length + column}]`).join('');
    return `${inputs}hstack=${row.length}[r${number}]`;
  });
  const whole =
    `${rows.map((_, number) => `[r${number}]`).join('')}vstack=${rows.length},split[p][q];` +
    `[p]palettegen=max_colors=${COLOURS}:reserve_transparent=0[palette];[q][palette]paletteuse=dither=none`;
  return [
    ...['-nostdin', '-v', 'error', '-y'],
    ...files.flatMap((file) => ['-f', 'f32le', '-ar', String(RATE), '-ac', '1', '-i', file]),
    ...['-filter_complex', [...cells, ...lines, whole].join(';'), '-frames:v', '1', '-update', '1', PICTURE],
  ];
}

await draw(process.argv[2]);
