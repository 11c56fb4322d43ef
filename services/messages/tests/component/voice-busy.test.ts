// Long run: a busy voice changer.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBed, type Answer, type TestBed } from '@najwa/testing';

const SAMPLE = new URL('../../../media/tests/samples/speech-0.3s.webm', import.meta.url);

/** A stand-in for ffmpeg that passes the startup check and blocks every run until it is released. */
const blockingFfmpeg = (released: string) => `#!/bin/sh
case "$*" in *-version*) exit 0;; esac
while [ ! -e '${released}' ]; do sleep 0.1; done
exit 1
`;

let folder: string;
let bed: TestBed;
let userId: number;
let recording: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'najwa-test-'));
  const program = join(folder, 'ffmpeg');
  await writeFile(program, blockingFfmpeg(join(folder, 'released')));
  await chmod(program, 0o700);
  recording = await readFile(SAMPLE);
  bed = await startTestBed({
    services: ['auth', 'media', 'messages'],
    env: { RATE_LIMIT_SCALE: '0', FFMPEG_BIN: program },
  });
  userId = (await bed.newAccount()).id;
});

afterAll(async () => {
  await bed.stop();
  await rm(folder, { recursive: true });
});

let senders = 0;

/** Sends as a sender of another site each time, because neither may have more than a few recordings waiting. */
function send(service: 'media' | 'messages', path: string, fields: Record<string, string>): Promise<Answer> {
  const form = new FormData();
  form.set('audio', new File([new Uint8Array(recording)], 'recording.webm'));
  for (const [name, value] of Object.entries({ voiceType: 'male', ...fields })) form.set(name, value);
  senders += 1;
  const identity = { ip: `${20 + senders}.1.1.1`, visitorId: `visitor-${senders}` };
  return bed.call(service, 'POST', path, { identity, init: { body: form } });
}

const preview = () => send('media', '/api/audio/preview', { isPreview: 'true' });
const upload = () => send('messages', '/api/audio/upload', { userId: String(userId) });

test('a full queue refuses previews and uploads immediately with Retry-After', async () => {
  const refused: Answer[] = [];
  // More than may arrive and wait at once.
  const held = Array.from({ length: 120 }, async () => {
    const answer = await preview();
    if (answer.status === 503) refused.push(answer);
  });
  await bed.eventually(() => expect(refused.length).toBeGreaterThan(0));

  for (const answer of [await preview(), await upload(), ...refused]) {
    expect(answer).toMatchObject({ status: 503, body: { code: expect.stringMatching(/^(media_)?unavailable$/) } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await bed.call('messages', 'GET', '/api/messages', { identity: { userId } })).body).toEqual([]);

  await writeFile(join(folder, 'released'), '');
  await Promise.all(held);
});
