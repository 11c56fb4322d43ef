import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Role } from '@najwa/proto/http/client';
import { inCheckout } from '../../bootstrap/environment.js';
import type { Reporter } from '../../reporter.js';
import {
  COLLECT_ON_SIGNAL,
  COLLECT_SIGNAL,
  processesByService,
  type ServiceProcess,
} from '../../test-bed/processes.js';
import { startTestSystem, type TestSystem } from '../../test-bed/test-system.js';
import { sendEvents } from './events.js';
import { sendGrpc } from './grpc.js';
import { createJudge, type Judge } from './judge.js';
import { createRandom } from './random.js';
import { sendRequests } from './requests.js';
import { runSchemathesis } from './schemathesis.js';

export interface FuzzOptions {
  reporter: Reporter;
  signal: AbortSignal;
  minutes: number;
  seed: number;
  /** Python with Schemathesis. */
  python: string;
}

const ROLES: readonly Role[] = ['visitor', 'user', 'moderator', 'admin'];

/** Parts of the time of a round. The rest is for starting and settling. */
const SHARES = { schemathesis: 0.5, requests: 0.3, grpc: 0.08, events: 0.1 };
/** Resident memory after the second round, as a part of that after the first one. What leaks grows in both alike. */
const MEMORY_LIMIT = 1.1;
const SETTLE_SECONDS = 20;
const COLLECT_SECONDS = 5;
const MAX_SETTLE_SECONDS = 120;

type Processes = Record<string, ServiceProcess>;

/** Waits until idle services have given back what they no longer need, as far as they do, or are below the limit. */
async function settle(signal: AbortSignal, limits?: Processes): Promise<Processes> {
  const begun = performance.now();
  for (;;) {
    await pause(SETTLE_SECONDS * 1_000, undefined, { signal });
    for (const { pid } of Object.values(await processesByService())) process.kill(pid, COLLECT_SIGNAL);
    await pause(COLLECT_SECONDS * 1_000, undefined, { signal });
    const now = await processesByService();
    const isHigh = Object.entries(limits ?? {}).some(
      ([name, { megabytes }]) => (now[name]?.megabytes ?? 0) > megabytes * MEMORY_LIMIT,
    );
    if (!isHigh || performance.now() - begun > MAX_SETTLE_SECONDS * 1_000) return now;
  }
}

function compareProcesses(before: Processes, after: Processes, judge: Judge): string[] {
  return Object.entries(before).map(([name, { pid, megabytes }]) => {
    const now = after[name];
    if (now?.pid !== pid) judge.fault(`${name} was restarted`);
    const ratio = (now?.megabytes ?? Number.NaN) / megabytes;
    if (ratio > MEMORY_LIMIT) judge.fault(`${name} keeps ${Math.round((ratio - 1) * 100)} % more memory than before`);
    return `${name.padEnd(10)} ${megabytes.toFixed(0)} MB after the first round, ${now?.megabytes.toFixed(0) ?? '–'} MB at the end`;
  });
}

/**
 * Sends hostile input of every kind to a system of its own, and watches what callers get and what becomes of services.
 * @returns the status to exit with
 */
export async function fuzz({ reporter, signal, minutes, seed, python }: FuzzOptions): Promise<number> {
  const begun = performance.now();
  const folder = inCheckout('.artifacts/fuzz');
  await rm(folder, { recursive: true, force: true });
  // The logs of the services, for causes.
  process.env['NAJWA_TEST_LOGS'] = folder;
  const system: TestSystem = await startTestSystem({
    env: { LOG_LEVEL: 'error' },
    beside: { nodeOptions: COLLECT_ON_SIGNAL },
  });
  // Of its databases, queues and files.
  const run = system.databaseOf('auth').replace('_auth', '');
  const url = system.infrastructure.env['AMQP_URL'] ?? '';
  const judge = createJudge([run, system.adminSecret]);
  const started = await processesByService();

  const during = async (share: number, name: string, work: (seconds: number, until: number) => Promise<unknown>) => {
    const seconds = Math.max(5, minutes * 60 * share);
    const step = reporter.step(name);
    step.doing(`${Math.round(seconds)} s`);
    const [before, from] = [judge.total, performance.now()];
    try {
      await work(seconds, from + seconds * 1_000);
      signal.throwIfAborted();
    } catch (error) {
      step.fail();
      throw error;
    }
    step.done(`${judge.total - before} in ${Math.round((performance.now() - from) / 1_000)} s`);
  };
  const random = createRandom(seed);
  const common = { system, judge, random, signal };
  const schemathesis = (share: number, reports: string) =>
    during(share, 'Schemathesis', (seconds) =>
      Promise.all(ROLES.map((role) => runSchemathesis(role, { ...common, python, seed, seconds, folder: reports }))),
    );
  const requests = (share: number) =>
    during(share, 'Strange calls, forms and files', (_seconds, until) => sendRequests({ ...common, until }));
  const grpc = (share: number) => during(share, 'gRPC', (_seconds, until) => sendGrpc({ ...common, until }));
  const events = (share: number) =>
    during(share, 'Events', (_seconds, until) => sendEvents({ ...common, url, prefix: run, until }));

  try {
    const round = async (number: number): Promise<void> => {
      await schemathesis(SHARES.schemathesis / 2, path.join(folder, `round-${number}`));
      await requests(SHARES.requests / 2);
      await grpc(SHARES.grpc / 2);
      await events(SHARES.events / 2);
    };
    await round(1);
    const before = await settle(signal);
    await round(2);
    const after = await settle(signal, before);
    const memory = compareProcesses(before, after, judge);
    for (const [name, { pid }] of Object.entries(started))
      if (before[name]?.pid !== pid) judge.fault(`${name} was restarted`);
    const faults = judge.faults();
    const lines = [
      ...judge.table(),
      '',
      'Resident memory of each service, when idle:',
      ...memory,
      '',
      ...faults,
      `${judge.total} requests, calls and events in ${Math.round((performance.now() - begun) / 1_000)} s, seed ${seed}`,
      `The logs are in ${folder}`,
      faults.length === 0 ? 'Passed.' : `Failed: ${faults.length} faults.`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await system.stop();
  }
}
