import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { isSmoke, sizes } from '@najwa/dev/bootstrap/smoke';
import { asStep, type Reporter } from '@najwa/dev/reporter';
import type { Role } from '@najwa/proto/http/client';
import {
  requestGc,
  COLLECT_ON_SIGNAL,
  processesByService,
  type ServiceProcess,
  startTestSystem,
  type TestSystem,
} from '@najwa/testing';
import { sendEvents } from './events.js';
import { sendGrpc } from './grpc.js';
import { createJudge, type Judge } from './judge.js';
import { createRandom } from './random.js';
import { sendRequests } from './requests.js';
import { runSchemathesis } from './schemathesis.js';

export { installedSchemathesis, provideSchemathesis } from './install.js';

export interface FuzzOptions {
  reporter: Reporter;
  signal: AbortSignal;
  minutes: number;
  seed: number;
  /** Python with Schemathesis. Without it, Schemathesis is left out. */
  python: string | undefined;
}

const ROLES = sizes<readonly Role[]>({ full: ['visitor', 'user', 'moderator', 'admin'], smoke: ['user'] });

/** Parts of the time. The rest is for starting and settling. */
const SHARES = { schemathesis: 0.5, requests: 0.3, grpc: 0.08, events: 0.1 };
/** All alike. */
const ROUNDS = sizes({ full: 3, smoke: 1 });
const MIN_SECONDS = sizes({ full: 5, smoke: 0.5 });
/** Resident memory after the last round, as a part of the most after an earlier one. What leaks grows in each of them. */
const MEMORY_LIMIT = 1.1;
const SETTLE_SECONDS = sizes({ full: 20, smoke: 0 });
const COLLECT_SECONDS = sizes({ full: 5, smoke: 0.5 });
const MAX_SETTLE_SECONDS = sizes({ full: 120, smoke: 0 });

/** The settings of a system that is fuzzed. */
export const FUZZED: { env: Record<string, string>; collects: true } = {
  env: sizes<Record<string, string>>({
    full: { LOG_LEVEL: 'error' },
    // Held bodies are given up soon.
    smoke: { LOG_LEVEL: 'error', BODY_PAUSE_SECONDS: '1', BODY_GRACE_SECONDS: '1' },
  }),
  collects: true,
};

const rounded = (value: number): number => Math.round(value * 10) / 10;

type Processes = Record<string, ServiceProcess>;

/** Waits until memory after garbage collection is below the limit, or does not fall any more. */
async function settle(signal: AbortSignal, limits?: Processes): Promise<Processes> {
  const begun = performance.now();
  for (;;) {
    await pause(SETTLE_SECONDS * 1_000, undefined, { signal });
    await requestGc();
    await pause(COLLECT_SECONDS * 1_000, undefined, { signal });
    const now = await processesByService();
    const isHigh = Object.entries(limits ?? {}).some(
      ([name, { megabytes }]) => (now[name]?.megabytes ?? 0) > megabytes * MEMORY_LIMIT,
    );
    if (!isHigh || performance.now() - begun > MAX_SETTLE_SECONDS * 1_000) return now;
  }
}

/** Each service as it kept most memory. */
const highest = (states: readonly Processes[]): Processes => {
  const high: Processes = {};
  for (const [name, process] of states.flatMap((state) => Object.entries(state)))
    if (process.megabytes > (high[name]?.megabytes ?? 0)) high[name] = process;
  return high;
};

/** @param states at the start, then after each round */
function compareProcesses([started = {}, ...states]: readonly Processes[], judge: Judge): string[] {
  const before = highest(states.slice(0, -1));
  return Object.entries(started).map(([name, { pid }]) => {
    if (states.some((state) => state[name]?.pid !== pid)) judge.fault(`${name} was restarted`);
    const ratio = (states.at(-1)?.[name]?.megabytes ?? Number.NaN) / (before[name]?.megabytes ?? Number.NaN);
    if (ratio > MEMORY_LIMIT) judge.fault(`${name} keeps ${Math.round((ratio - 1) * 100)} % more memory than before`);
    return `${name.padEnd(10)} ${states.map((state) => state[name]?.megabytes.toFixed(0) ?? '–').join(', ')}`;
  });
}

/** What was sent to a system, and what came of it. */
export interface FuzzResult {
  bench: 'fuzz';
  aims: { faults: { value: number; aim: 0; better: 'lower' } };
  /** Requests, calls and events by kind. */
  sent: Record<string, number>;
  /** Resident memory of each service, idle after the last round. */
  megabytes: Record<string, number>;
  seconds: number;
  seed: number;
}

/** Sends hostile input of every kind to a system that was started as `FUZZED` says, and prints what was seen. */
export async function fuzzSystem(
  system: TestSystem,
  { reporter, signal, minutes, seed, python, folder }: FuzzOptions & { folder: string },
): Promise<FuzzResult> {
  const begun = performance.now();
  // Of its databases, queues and files.
  const run = system.databaseOf('auth').replace('_auth', '');
  const url = system.infrastructure.env['AMQP_URL'] ?? '';
  const judge = createJudge([run, system.adminSecret]);
  const states = [await processesByService()];

  const during = async (share: number, name: string, work: (seconds: number, until: number) => Promise<unknown>) => {
    const seconds = Math.max(MIN_SECONDS, minutes * 60 * share);
    const [before, from] = [judge.total, performance.now()];
    await asStep(
      reporter,
      name,
      async (step) => {
        step.doing(`${rounded(seconds)} s`);
        await work(seconds, from + seconds * 1_000);
        signal.throwIfAborted();
      },
      () => `${judge.total - before} sent`,
    );
  };
  const random = createRandom(seed);
  const common = { system, judge, random, signal };
  const schemathesis = (share: number, reports: string) => {
    if (python === undefined) return;
    return during(share, 'Schemathesis', (seconds) =>
      Promise.all(ROLES.map((role) => runSchemathesis(role, { ...common, python, seed, seconds, folder: reports }))),
    );
  };
  const requests = (share: number) =>
    during(share, 'Strange calls, forms and files', (_seconds, until) => sendRequests({ ...common, until }));
  const grpc = (share: number) => during(share, 'gRPC', (_seconds, until) => sendGrpc({ ...common, until }));
  const events = (share: number) =>
    during(share, 'Events', (_seconds, until) => sendEvents({ ...common, url, prefix: run, until }));

  if (python === undefined) reporter.say('Schemathesis is left out: it is not installed. npm run fuzz installs it.');
  for (let round = 1; round <= ROUNDS; round++) {
    await schemathesis(SHARES.schemathesis / ROUNDS, path.join(folder, `round-${round}`));
    await requests(SHARES.requests / ROUNDS);
    await grpc(SHARES.grpc / ROUNDS);
    await events(SHARES.events / ROUNDS);
    const limits = round === ROUNDS ? highest(states.slice(1)) : undefined;
    states.push(await asStep(reporter, 'Settling', () => settle(signal, limits)));
  }
  const memory = compareProcesses(states, judge);
  const faults = judge.faults();
  const lines = [
    ...judge.table(),
    '',
    'Resident memory of each service, idle after each round, in MB:',
    ...memory,
    '',
    ...faults,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return {
    bench: 'fuzz',
    aims: { faults: { value: faults.length, aim: 0, better: 'lower' } },
    sent: judge.kinds(),
    megabytes: Object.fromEntries(
      Object.entries(states.at(-1) ?? {}).map(([name, { megabytes }]) => [name, rounded(megabytes)]),
    ),
    seconds: rounded((performance.now() - begun) / 1_000),
    seed,
  };
}

/**
 * Fuzzes a system of its own, and watches what callers get and what becomes of services.
 * @returns the status to exit with. A smoke is not judged
 */
export async function fuzz(options: FuzzOptions): Promise<number> {
  const { reporter } = options;
  const folder = inCheckout('.artifacts/fuzz');
  await rm(folder, { recursive: true, force: true });
  // The logs of the services, for causes.
  process.env['NAJWA_TEST_LOGS'] = folder;
  const system = await startTestSystem({ env: FUZZED.env, overrides: { nodeOptions: COLLECT_ON_SIGNAL }, reporter });
  try {
    const result = await fuzzSystem(system, { ...options, folder });
    const { value: faults } = result.aims.faults;
    process.stdout.write(`The logs are in ${folder}\n${faults === 0 ? 'Passed.' : `Failed: ${faults} faults.`}\n`);
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return faults === 0 || isSmoke ? 0 : 1;
  } finally {
    await system.stop();
  }
}
