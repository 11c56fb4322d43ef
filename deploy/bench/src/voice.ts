import { execFile } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rounds, sizes } from '@najwa/dev/bootstrap/smoke';
import { ANALYSIS_RATE, CHANNELS } from '@najwa/proto/voice';
import type { TestAccount, TestSystem } from '@najwa/testing';
import { Agent, fetch, FormData } from 'undici';
import type { SystemBenchmark } from './benchmark.js';
import { atLeast, atMost } from './result.js';
import { metricOf } from './processor-time.js';
import { median, rounded } from './statistics.js';

const SPEECH = fileURLToPath(new URL('../../../services/media/tests/samples/four-minutes.webm', import.meta.url));
const LONG_SECONDS = sizes({ full: 60, smoke: 1 });
const SHORT_SECONDS = sizes({ full: 10, smoke: 1 });
const WARM_UP_ROUNDS = sizes({ full: 1, smoke: 0 });
const ROUNDS = rounds(7);
const UPLOADS_AT_ONCE = sizes({ full: 20, smoke: 1 });
const SAMPLE_MS = 100;
const MAX_RECORDING_BYTES = 10 * 1024 * 1024;
const MAX_PCM_BYTES = 32 * 1024 * 1024;

/** Without re-encoding. */
export async function cut({ infrastructure }: TestSystem, seconds: number): Promise<Buffer> {
  const args = ['-nostdin', '-v', 'error', '-i', SPEECH, '-t', String(seconds), '-c', 'copy', '-f', 'webm', 'pipe:1'];
  const { stdout } = await promisify(execFile)(infrastructure.env['FFMPEG_BIN'] ?? 'ffmpeg', args, {
    encoding: 'buffer',
    maxBuffer: MAX_RECORDING_BYTES,
  });
  return stdout;
}

const FIRST = new Agent();

/** Retries after `Retry-After`, as the client does. @returns the sound's path below /api */
async function send(system: TestSystem, owner: TestAccount, recording: Buffer, dispatcher = FIRST): Promise<string> {
  const form = new FormData();
  form.set('audio', new File([new Uint8Array(recording)], 'recording.webm', { type: 'audio/webm' }));
  form.set('userId', String(owner.id));
  form.set('voiceType', 'female');
  const response = await fetch(`${system.url}/api/audio/upload`, {
    method: 'POST',
    headers: { origin: system.url },
    body: form,
    dispatcher,
  });
  const retryAfter = response.headers.get('retry-after');
  if (response.status === 503 && retryAfter !== null) {
    await delay(Number(retryAfter) * 1000);
    return send(system, owner, recording, dispatcher);
  }
  if (response.status !== 201) throw new Error(`The upload failed with status ${response.status}.`);
  return ((await response.json()) as { audioUrl: string }).audioUrl;
}

async function beginToPlay(system: TestSystem, { cookie }: TestAccount, path: string): Promise<void> {
  const response = await fetch(`${system.url}/api${path}`, { headers: { cookie, range: 'bytes=0-65535' } });
  if (response.status !== 206) throw new Error(`The sound failed with status ${response.status}.`);
  await response.arrayBuffer();
}

/** Seconds from the start of an upload to its response, and to the first playable chunk. */
async function timeOf(
  system: TestSystem,
  owner: TestAccount,
  recording: Buffer,
): Promise<{ sent: number; playable: number }> {
  const began = performance.now();
  const path = await send(system, owner, recording);
  const sent = (performance.now() - began) / 1000;
  await beginToPlay(system, owner, path);
  return { sent, playable: (performance.now() - began) / 1000 };
}

async function timesOf(
  system: TestSystem,
  owner: TestAccount,
  recording: Buffer,
): Promise<{ sent: number; playable: number }[]> {
  const times = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) times.push(await timeOf(system, owner, recording));
  return times.slice(WARM_UP_ROUNDS);
}

/** Resident megabytes of media. */
const memoryOf = async (system: TestSystem): Promise<number> =>
  (await metricOf(system, 'media', 'process_resident_memory_bytes')) / 1e6;

/** Peak memory of media during `doing`. */
async function mostMemory(system: TestSystem, doing: Promise<unknown>): Promise<number> {
  const done = new AbortController();
  const ended = doing.finally(() => done.abort());
  let most = 0;
  while (!done.signal.aborted) {
    most = Math.max(most, await memoryOf(system));
    await delay(SAMPLE_MS);
  }
  await ended;
  return most;
}

const ON_DEVICE = fileURLToPath(new URL('./device-voice.js', import.meta.url));

/** Slowdown of a cheap phone relative to a server. */
const SLOWER = 4;

interface OnDevice {
  seconds: number;
  megabytes: number;
}

/** By the recorder itself. */
async function alterOnDevice({ infrastructure }: TestSystem, seconds: number): Promise<OnDevice[]> {
  const format = ['-ar', String(ANALYSIS_RATE), '-ac', String(CHANNELS), '-f', 'f32le', 'pipe:1'];
  const { stdout: recorded } = await promisify(execFile)(
    infrastructure.env['FFMPEG_BIN'] ?? 'ffmpeg',
    ['-nostdin', '-v', 'error', '-i', SPEECH, '-t', String(seconds), ...format],
    { encoding: 'buffer', maxBuffer: MAX_PCM_BYTES },
  );
  const measured: OnDevice[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const child = execFile(process.execPath, [ON_DEVICE]);
    child.stdin?.end(recorded);
    measured.push(JSON.parse(child.stdout === null ? '' : await text(child.stdout)) as OnDevice);
  }
  return measured;
}

/**
 * Speed of alteration and storage relative to real time, time to play, memory of many concurrent uploads relative to
 * one per core, and alteration on a device.
 */
export const voice: SystemBenchmark = {
  needs: () => ({}),
  async run({ system, step }) {
    const owner = await system.newAccount();
    const [long, short] = [await cut(system, LONG_SECONDS), await cut(system, SHORT_SECONDS)];
    // Uploads are limited per address.
    const senders = Array.from(
      { length: UPLOADS_AT_ONCE },
      (_, index) => new Agent({ localAddress: `127.0.1.${index + 1}` }),
    );
    const upload = (count: number): Promise<unknown> =>
      Promise.all(senders.slice(0, count).map((sender) => send(system, owner, long, sender)));

    const idle = await memoryOf(system);
    step.doing('altering recordings as a device does');
    const [deviceShort, deviceLong] = [
      await alterOnDevice(system, SHORT_SECONDS),
      await alterOnDevice(system, LONG_SECONDS),
    ];
    step.doing('sending recordings one after another');
    const shortTimes = await timesOf(system, owner, short);
    const longTimes = await timesOf(system, owner, long);
    step.doing('sending recordings at the same time');
    const alone = await mostMemory(system, upload(2));
    const began = performance.now();
    const together = await mostMemory(system, upload(UPLOADS_AT_ONCE));
    const togetherSeconds = (performance.now() - began) / 1000;
    return {
      bench: 'voice',
      aims: {
        times_faster_than_real_time: atLeast(
          longTimes.map(({ sent }) => LONG_SECONDS / sent),
          20,
          1,
        ),
        seconds_from_send_to_playable: atMost(
          shortTimes.map(({ playable }) => playable),
          1,
          2,
        ),
        memory_of_twenty_uploads_to_two_ratio: atMost(together / alone, 1.3, 2),
        device_seconds_of_a_short_one_on_a_slow_processor: atMost(
          deviceShort.map(({ seconds }) => SLOWER * seconds),
          1.5,
          2,
        ),
        device_seconds_of_a_long_one_on_a_slow_processor: atMost(
          deviceLong.map(({ seconds }) => SLOWER * seconds),
          6,
          2,
        ),
        device_megabytes: atMost(
          deviceLong.map(({ megabytes }) => megabytes),
          150,
          0,
        ),
      },
      recording_seconds: { long: LONG_SECONDS, short: SHORT_SECONDS },
      long_seconds_from_send_to_playable: rounded(median(longTimes.map(({ playable }) => playable)), 2),
      media_megabytes: { idle: rounded(idle, 0), two_uploads: rounded(alone, 0), twenty_uploads: rounded(together, 0) },
      twenty_uploads_seconds: rounded(togetherSeconds, 1),
      rounds: ROUNDS,
    };
  },
};
