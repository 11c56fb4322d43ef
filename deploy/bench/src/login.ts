import { setTimeout as delay } from 'node:timers/promises';
import { startTestSystem, type TestSystem } from '@najwa/dev-env';
import type { BenchResult } from './result.js';
import { percentile, rounded } from './statistics.js';

const ACCOUNTS = 20;
const LOGGING_IN = 8;
const SECONDS = 15;
const PROBES_PER_SECOND = 50;
const PASSWORD = 'correct horse battery';

const usernameOf = (index: number): string => `layla-${index}`;

async function register(system: TestSystem, index: number): Promise<void> {
  const body = {
    name: 'ليلى',
    username: usernameOf(index),
    password: PASSWORD,
    confirmPassword: PASSWORD,
    terms: true,
  };
  const { status } = await system.request('POST', '/api/register', { body });
  if (status !== 201) throw new Error(`Registration failed with status ${status}.`);
}

/** Reads the auth status at a steady rate, independent of response times. @returns milliseconds of each response */
async function probe(system: TestSystem, until: number): Promise<number[]> {
  const answers: Promise<number>[] = [];
  while (performance.now() < until) {
    const asked = performance.now();
    answers.push(
      system.request('GET', '/api/auth-status').then(({ status }) => {
        if (status !== 200) throw new Error(`The auth status failed with status ${status}.`);
        return performance.now() - asked;
      }),
    );
    await delay(1000 / PROBES_PER_SECOND);
  }
  return Promise.all(answers);
}

/** Signs in repeatedly. @returns the number of logins */
async function logIn(system: TestSystem, first: number, until: number): Promise<number> {
  let count = 0;
  for (; performance.now() < until; count += 1) {
    const { status } = await system.request('POST', '/api/login', {
      body: { username: usernameOf((first + count) % ACCOUNTS), password: PASSWORD },
    });
    if (status !== 200) throw new Error(`The login failed with status ${status}.`);
  }
  return count;
}

/** The auth service's own measurement of event loop delay since the last call, in milliseconds. */
async function eventLoopDelay(system: TestSystem): Promise<number> {
  const text = await (await fetch(`${system.urlOf('auth')}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? ([\d.e-]+)$/m.exec(text)?.[1];
  return Number(seconds) * 1000;
}

/** Measures logins per second, and the latency of other auth calls meanwhile. */
export async function run(): Promise<BenchResult> {
  const system = await startTestSystem();
  try {
    for (let index = 0; index < ACCOUNTS; index += 1) await register(system, index);
    const idle = await probe(system, performance.now() + SECONDS * 1000);
    await eventLoopDelay(system);

    const until = performance.now() + SECONDS * 1000;
    const [loaded, ...counts] = await Promise.all([
      probe(system, until),
      ...Array.from({ length: LOGGING_IN }, (_, index) => logIn(system, index, until)),
    ]);
    const loopDelay = await eventLoopDelay(system);
    const [idleP99, loadedP99] = [percentile(idle, 99), percentile(loaded, 99)];
    return {
      bench: 'login',
      aims: {
        auth_status_p99_ms_during_logins: { value: rounded(loadedP99, 1), aim: 50, better: 'lower' },
      },
      logins_per_second: rounded(counts.reduce((sum, count) => sum + count, 0) / SECONDS, 1),
      auth_status_p99_ms_idle: rounded(idleP99, 1),
      auth_status_p99_ratio_to_idle: rounded(loadedP99 / idleP99, 2),
      event_loop_delay_p99_ms: rounded(loopDelay, 1),
      logging_in: LOGGING_IN,
    };
  } finally {
    await system.stop();
  }
}
