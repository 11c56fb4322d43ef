// Long run: several workers on one port.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get, request, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@najwa/dev/processes/ports';
import { UserUpdated } from '@najwa/proto/events';
import { eventually } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const START_MS = 60_000;
const ANSWER_MS = 10_000;
const PATIENCE_MS = 1_000;

let bed: GatewayBed;
let primary: ChildProcess;
let origin: string;
let metricsUrl: string;
let name = 'first';

let networks = 0;
const newNetwork = (): string => `203.0.${(networks += 1) >> 8}.${networks & 255}`;

/** On a new connection, so that workers take turns, and from a new network by default. */
function ask(path: string, network = newNetwork(), longestMs = ANSWER_MS): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(longestMs);
    const headers = { 'x-forwarded-for': network };
    request(`${origin}${path}`, { agent: false, headers, signal }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString())).once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .once('error', reject)
      .end();
  });
}

const metrics = async (): Promise<string> => (await fetch(metricsUrl)).text();
/** Started by the primary. */
async function workerIds(): Promise<number[]> {
  const text = await readFile(`/proc/${primary.pid}/task/${primary.pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}

/** Runs while only this worker can answer. */
async function whileAlone<Result>(id: number, run: () => Promise<Result>): Promise<Result> {
  const others = (await workerIds()).filter((other) => other !== id);
  for (const other of others) process.kill(other, 'SIGSTOP');
  return run().finally(() => {
    for (const other of others) process.kill(other, 'SIGCONT');
  });
}

/** Waits for two workers that both answer: of two connections, each gets one. */
async function bothRun(): Promise<void> {
  await eventually(async () => {
    const ids = await workerIds();
    expect(ids).toHaveLength(2);
    for (const id of ids)
      await whileAlone(id, () => Promise.any([0, 1].map(() => ask('/health/live', undefined, PATIENCE_MS))));
  }, START_MS);
}

beforeAll(async () => {
  bed = await startGatewayBed();
  bed.upstreams.auth.answer((_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ id: 7, name }));
  });
  const [port, metricsPort] = [await freePort(), await freePort()];
  origin = `http://127.0.0.1:${port}`;
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  primary = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      ...bed.environment,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      GATEWAY_WORKERS: '2',
      RATE_LIMIT_SCALE: '0.05',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await eventually(async () => expect((await fetch(`${origin}/health/ready`)).status).toBe(200), START_MS);
  await eventually(async () => expect((await fetch(metricsUrl)).status).toBe(200), START_MS);
}, 2 * START_MS);
afterAll(async () => {
  primary.kill('SIGKILL');
  await bed.stop();
});

describe('several workers on one port', () => {
  test('all forget what an event is about', async () => {
    const namesSeen = async () => {
      const answers = await Promise.all([0, 1, 2, 3].map(() => ask('/api/users/layla')));
      return answers.map(({ body }) => (JSON.parse(body) as { name: string }).name);
    };
    expect(new Set(await namesSeen())).toEqual(new Set(['first']));
    expect(bed.upstreams.auth.seen).toHaveLength(2);
    name = 'second';
    await bed.publish({
      $case: 'userUpdated',
      value: UserUpdated.fromJSON({ userId: 7, username: 'layla', changesPublic: true }),
    });
    await eventually(async () => expect(new Set(await namesSeen())).toEqual(new Set(['second'])), 4_000);
  });

  test('hold a limit together, and add up their metrics', async () => {
    // 30 requests a minute.
    const statuses: number[] = [];
    for (let count = 0; count < 60; count += 1) {
      statuses.push((await ask('/api/users/layla', '198.51.100.1')).status);
      // Longer than the workers take to exchange counts.
      if (count % 10 === 9) await eventually(async () => expect(await metrics()).toContain('getPublicUser'));
    }
    const allowed = statuses.filter((status) => status === 200).length;
    // Sixty without sharing; a few more than thirty pass before the workers exchange counts.
    expect([allowed >= 30, allowed <= 45]).toEqual([true, true]);
    const counts = (await metrics()).matchAll(
      /^http_request_duration_seconds_count\{.*operation="(?:getPublicUser|public-reads)".* (\d+)$/gm,
    );
    // The refused ones too.
    expect([...counts].reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThanOrEqual(60);
  });

  test(
    'answer a connection that was handed to one of them just before it was killed',
    async () => {
      const [first = 0] = await workerIds();
      process.kill(first, 'SIGSTOP');
      // One of them reaches the stopped worker.
      const asked = [0, 1, 2, 3].map(() => ask('/health/live'));
      let answered = 0;
      for (const answer of asked) void answer.then(() => (answered += 1)).catch(() => undefined);
      await eventually(() => expect(answered).toBe(3), START_MS);
      process.kill(first, 'SIGKILL');
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      await bothRun();
    },
    2 * START_MS,
  );

  test(
    'leave no visitor waiting while one of them is killed',
    async () => {
      const ends = { answered: 0, closed: 0, waiting: 0 };
      let isOver = false;
      const visit = async (): Promise<void> => {
        while (!isOver)
          await ask('/health/live').then(
            () => (ends.answered += 1),
            (error: Error) =>
              (ends[error.name === 'TimeoutError' || error.name === 'AbortError' ? 'waiting' : 'closed'] += 1),
          );
      };
      const visitors = Array.from({ length: 8 }, visit);
      const before = ends.answered;
      await eventually(() => expect(ends.answered).toBeGreaterThan(before + 50), START_MS);
      process.kill((await workerIds())[0] ?? 0, 'SIGKILL');
      await bothRun();
      isOver = true;
      await Promise.all(visitors);
      expect(ends.waiting).toBe(0);
      // At most the visitors' requests under way.
      expect(ends.closed).toBeLessThanOrEqual(visitors.length);
    },
    4 * START_MS,
  );

  test(
    'go on when one of them is killed, and are two again',
    async () => {
      const [first, second] = await workerIds();
      process.kill(first ?? 0, 'SIGKILL');
      for (let count = 0; count < 4; count += 1) await ask('/health/live').catch(() => undefined);
      await bothRun();
      const ids = await workerIds();
      expect([ids.includes(second ?? 0), ids.includes(first ?? 0)]).toEqual([true, false]);
      expect((await ask('/health/ready')).status).toBe(200);
    },
    2 * START_MS,
  );

  test(
    'free the event streams of one of them when it is killed',
    async () => {
      const network = newNetwork();
      const signal = AbortSignal.timeout(START_MS);
      const open = async (): Promise<number> => {
        const headers = { 'x-forwarded-for': network };
        const stream = get(`${origin}/api/notifications/stream?wayBack=way-back`, { agent: false, headers, signal });
        stream.on('error', () => undefined);
        const [response] = (await once(stream, 'response')) as [IncomingMessage];
        response.on('error', () => undefined).resume();
        if (response.statusCode !== 200) stream.destroy();
        return response.statusCode ?? 0;
      };
      // Until the workers know that the network has all of its streams.
      await eventually(async () => expect(await open()).toBe(429), ANSWER_MS);
      process.kill((await workerIds())[0] ?? 0, 'SIGKILL');
      await eventually(async () => expect(await open()).toBe(200), ANSWER_MS);
    },
    START_MS,
  );

  test(
    'workers finish requests under way before they stop',
    async () => {
      const gate: { open?: () => void } = {};
      const opened = new Promise<void>((resolve) => (gate.open = resolve));
      bed.upstreams.web.answer(async (_request, response) => {
        await opened;
        response.end('complete');
      });
      const underWay = ask('/');
      await eventually(() => expect(bed.upstreams.web.seen).not.toHaveLength(0));
      const exited = once(primary, 'exit');
      primary.kill('SIGTERM');
      // Before the workers give up their requests.
      await eventually(() => expect(ask('/health/live', undefined, 500)).rejects.toThrow());
      gate.open?.();
      expect((await underWay).body).toBe('complete');
      expect((await exited)[0]).toBe(0);
    },
    START_MS,
  );
});
