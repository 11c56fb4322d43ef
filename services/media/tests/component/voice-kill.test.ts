// Long run: kills.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientStream, createGrpcClient } from '@najwa/common/grpc';
import { MediaServiceClient, VoiceType, type MorphVoiceRequest, type MorphVoiceResponse } from '@najwa/proto/media';
import { createContext, type MediaContext } from '../../src/context.js';
import { loadConfig } from '../../src/index.js';
import { newStorageKey, sample, startMediaBed, sweepUnclaimed, type MediaBed } from './media-bed.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const DAY_MS = 24 * 60 * 60 * 1000;

let media: MediaBed;
let folder: string;
let replica: MediaContext;
const started: ChildProcess[] = [];

beforeAll(async () => {
  media = await startMediaBed();
  folder = await mkdtemp(join(tmpdir(), 'najwa-test-'));
  replica = await createContext(loadConfig(media.bed.environmentOf('media')));
  await replica.database.connect();
  await replica.bus.start();
  await media.bed.eventually(() => expect(replica.bus.isConnected()).toBe(true));
});

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await replica.bus.stop();
  await replica.threads.close();
  replica.blobs.close();
  await replica.database.close();
  await media.stop();
  await rm(folder, { recursive: true });
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Starts the service in a process of its own, on the same data as the test bed. */
async function startProcess(): Promise<{ child: ChildProcess; grpc: string }> {
  const [port, grpcPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...media.bed.environmentOf('media'),
      PORT: String(port),
      GRPC_PORT: String(grpcPort),
      RECORDINGS_FOLDER: folder,
    },
    stdio: 'ignore',
  });
  started.push(child);
  await media.bed.eventually(async () =>
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200),
  );
  return { child, grpc: `127.0.0.1:${grpcPort}` };
}

function sendTo(address: string, recording: Buffer, storageKey: string): Promise<MorphVoiceResponse> {
  const client = createGrpcClient(MediaServiceClient, address, media.bed.callerOf('messages'), { isForStreams: true });
  const call = clientStream<MorphVoiceRequest, MorphVoiceResponse>(client.morphVoice.bind(client), 25_000)();
  const send = async (): Promise<MorphVoiceResponse> => {
    await call.write({ part: { $case: 'senderKey', value: 'user 1' } });
    await call.write({ part: { $case: 'recording', value: recording } });
    await call.write({
      part: {
        $case: 'order',
        value: {
          voiceType: VoiceType.VOICE_TYPE_FEMALE,
          isAltered: false,
          storageKey,
          readerIds: [1],
          maker: { $case: 'visitorId', value: 'visitor' },
        },
      },
    });
    return call.finish();
  };
  return send().finally(() => client.close());
}

/** Ids of the child processes. */
const programsOf = async ({ pid }: ChildProcess): Promise<string[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter((id) => id !== '');

test('a killed process leaves a clear error, no recording and only objects that the sweep removes', async () => {
  const [recording, storageKey] = [await sample('speech-en-woman-1069.mp4'), newStorageKey()];
  const first = await startProcess();
  const sending = sendTo(first.grpc, recording, storageKey);
  const outcome = sending.catch((error: unknown) => error);
  let programs: string[] = [];
  await media.bed.eventually(async () => {
    programs = await programsOf(first.child);
    const commands = await Promise.all(programs.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8')));
    expect(commands.some((command) => command.includes('faststart'))).toBe(true);
  });
  first.child.kill('SIGKILL');
  expect(await outcome).toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) });
  expect(await readdir(folder, { recursive: true })).toEqual([expect.stringMatching(/^najwa-recordings-\d+$/)]);
  await media.bed.eventually(async () =>
    expect((await readdir('/proc')).filter((id) => programs.includes(id))).toEqual([]),
  );

  const second = await startProcess();
  const { name } = await sendTo(second.grpc, recording, storageKey);
  expect((await media.fetchSound(`/audio/stream/${name}`, { identity: { userId: 1 } })).status).toBe(200);
  expect(await media.listObjects()).toEqual([name]);

  await sweepUnclaimed(replica, new Date(Date.now() + DAY_MS + 60_000));
  expect(await media.listObjects()).toEqual([]);
});

test('bytes of a process that died while storing are not served and are swept', async () => {
  const name = Buffer.alloc(16, 7).toString('base64url');
  const readers = await replica.readers.of(name, [1]);
  await replica.sounds.reserve({ name, storageKey: newStorageKey(), kind: 'message', ...readers }, new Date());
  await replica.blobs.put(name, Buffer.from('half a sound'), 'audio/mp4');
  expect((await media.fetchSound(`/audio/stream/${name}`, { identity: { userId: 1 } })).status).toBe(404);
  await sweepUnclaimed(replica, new Date(Date.now() + DAY_MS + 60_000));
  expect(await media.listObjects()).toEqual([]);
});
