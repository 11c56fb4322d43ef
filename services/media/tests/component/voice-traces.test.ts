// Long run: traces of recordings on disk.
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requiredVariable, startTestBed, type TestBed } from '@najwa/testing';
import { sample, voiceForm } from './media-bed.js';

/** Long enough to be unique, short enough to detect a part of a recording. */
const FRAGMENT_BYTES = 24;

const FOREIGN_FILE = 'a file of another program';

let folder: string;
let bed: TestBed;
const lines: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'najwa-test-'));
  await writeFile(join(folder, FOREIGN_FILE), 'unchanged');
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

/** All entries in the folder except the service's own folder. */
const filesIn = async () =>
  (await readdir(folder, { recursive: true })).filter((name) => !/^najwa-recordings-\d+$/.test(name));

const send = (recording: Buffer, signal?: AbortSignal) =>
  bed.call('media', 'POST', '/api/audio/preview', {
    init: { body: voiceForm(recording, { voiceType: 'male', isPreview: 'true' }), ...(signal && { signal }) },
  });

/** Files in the folder, named or unlinked, that this process has open. The service runs in it. */
async function openRecordings(): Promise<string[]> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith(folder));
}

/** Parts of a recording in the encodings in which a program may print bytes. */
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
])('a recording that is %s leaves no file, no open file and no log line', async (_name, name, status) => {
  const recording = await sample(name);
  expect((await send(recording)).status).toBe(status);
  expect(await filesIn()).toEqual([FOREIGN_FILE]);
  expect(await openRecordings()).toEqual([]);
  const logged = lines.join('\n');
  expect(logged).toContain('"service":"media"');
  for (const fragment of fragmentsOf(recording)) expect(logged).not.toContain(fragment);
});

test('an aborted upload leaves no file, no open file and no log line', async () => {
  const upload = new AbortController();
  const recording = await sample('four-minutes.webm');
  const outcome = send(recording, upload.signal).catch((error: unknown) => error);
  await bed.eventually(async () => expect(await openRecordings()).not.toEqual([]));
  upload.abort();
  expect(await outcome).toMatchObject({ name: 'AbortError' });
  await bed.eventually(async () => expect(await openRecordings()).toEqual([]));
  expect(await filesIn()).toEqual([FOREIGN_FILE]);
});

test('a file of another program in RECORDINGS_FOLDER survives start and stop', async () => {
  await bed.stop();
  expect(await readFile(join(folder, FOREIGN_FILE), 'utf8')).toBe('unchanged');
});
