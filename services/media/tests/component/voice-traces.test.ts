import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requiredVariable, startTestBed, type TestBed } from '@najwa/dev-env';
import { sample, voiceForm } from './media-bed.js';

/** Long enough that no two sounds share it, and short enough that a part of a recording is found as well. */
const FRAGMENT_BYTES = 24;

let folder: string;
let bed: TestBed;
const lines: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'najwa-test-'));
  bed = await startTestBed({
    services: ['media'],
    env: { RATE_LIMIT_SCALE: '0', RECORDINGS_FOLDER: folder, FFMPEG_BIN: requiredVariable('FFMPEG_BIN') },
    onLogLine: (line) => lines.push(line),
  });
});

afterAll(async () => {
  await bed.stop();
  await rm(folder, { recursive: true });
});

const send = (recording: Buffer, signal?: AbortSignal) =>
  bed.call('media', 'POST', '/api/audio/preview', {
    init: { body: voiceForm(recording, { voiceType: 'male', isPreview: 'true' }), ...(signal && { signal }) },
  });

/** What this process, in which the service runs, has open in the folder, under a name or without one. */
async function openRecordings(): Promise<string[]> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith(folder));
}

/** Parts of a recording in the ways in which a program writes bytes as text. */
function fragmentsOf(recording: Buffer): string[] {
  const starts = Array.from(
    { length: 16 },
    (_, index) => Math.floor((index * (recording.length - FRAGMENT_BYTES)) / 16 / 3) * 3,
  );
  return starts.flatMap((start) => {
    const piece = recording.subarray(start, start + FRAGMENT_BYTES);
    return [piece.toString('base64'), piece.toString('hex'), piece.toString('latin1'), piece.join(',')];
  });
}

test.each([
  ['altered', 'speech-ar-1.webm', 200],
  ['refused for its content', 'random.webm', 422],
  ['refused for its length', 'four-minutes.webm', 422],
  ['refused once decoded', 'absurd-lengths.wav', 422],
])('a recording that is %s is in no folder, no open file and no log line afterwards', async (_name, name, status) => {
  const recording = await sample(name);
  expect((await send(recording)).status).toBe(status);
  expect(await readdir(folder)).toEqual([]);
  expect(await openRecordings()).toEqual([]);
  const logged = lines.join('\n');
  expect(logged).toContain('"service":"media"');
  for (const fragment of fragmentsOf(recording)) expect(logged).not.toContain(fragment);
});

test('a recording whose sender leaves is gone as well', async () => {
  const leaving = new AbortController();
  const recording = await sample('four-minutes.webm');
  const outcome = send(recording, leaving.signal).catch((error: unknown) => error);
  await bed.eventually(async () => expect(await openRecordings()).not.toEqual([]));
  leaving.abort();
  expect(await outcome).toMatchObject({ name: 'AbortError' });
  await bed.eventually(async () => expect(await openRecordings()).toEqual([]));
  expect(await readdir(folder)).toEqual([]);
});
