import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createFairQueue } from '@najwa/common/limits';
import { Ffmpeg } from '../clients/ffmpeg.js';
import { PrivateFiles } from '../clients/private-files.js';
import { VoiceThreads } from '../voice/threads.js';
import { receiveRecording } from './recordings.js';
import { createVoiceChanger } from './voice-changer.js';

const OGG = Buffer.from('OggS and more');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'najwa-test-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Alters a recording with a shell script in place of ffmpeg. */
async function changeWith(script: string): Promise<unknown> {
  const program = join(folder, 'ffmpeg');
  await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  const files = new PrivateFiles(folder);
  await files.prepare();
  const threads = new VoiceThreads();
  const changer = createVoiceChanger({
    ffmpeg: new Ffmpeg({ program, path: '/usr/bin:/bin' }),
    files,
    threads,
    enqueue: createFairQueue({
      capacity: 1,
      runningPerSender: 1,
      waitingPerSender: 0,
      maxWaiting: 0,
      retryAfter: 1,
    }),
    spend: () => Promise.resolve(),
  });
  const file = await files.create();
  const arriving = async function* () {
    yield await Promise.resolve(OGG);
  };
  try {
    const recording = await receiveRecording(file, arriving());
    return await changer.change({ recording, voiceType: 'male', isAltered: false, senderKey: 'user 1' });
  } finally {
    await file.close();
    await threads.close();
  }
}

test('a recording that ffmpeg cannot read is refused', async () => {
  await expect(changeWith('exit 1')).rejects.toMatchObject({ code: 'invalid_input', fields: { audio: 'unsupported' } });
  await expect(changeWith('kill -SEGV $$')).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(changeWith('kill -XCPU $$')).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a recording is not refused if ffmpeg is killed from outside', async () => {
  await expect(changeWith('kill -KILL $$')).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: expect.any(Number),
  });
});

test('a recording is not refused if a busy machine takes too long over it', async () => {
  const wait = globalThis.setTimeout;
  const sooner = jest.spyOn(globalThis, 'setTimeout');
  sooner.mockImplementation((run, milliseconds = 0) => wait(run, milliseconds / 100));
  await expect(changeWith('exec sleep 60')).rejects.toMatchObject({ code: 'unavailable' });
  sooner.mockRestore();
});
