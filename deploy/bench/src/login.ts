import { setTimeout as delay } from 'node:timers/promises';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import type { TestAccount, TestSystem } from '@najwa/testing';
import type { SystemBenchmark } from './benchmark.js';
import { percentile, rounded } from './statistics.js';

const ACCOUNTS = sizes({ full: 20, smoke: 2 });
const LOGGING_IN = sizes({ full: 8, smoke: 2 });
const SECONDS = sizes({ full: 15, smoke: 0.5 });
const PROBES_PER_SECOND = 50;

/** At a steady rate, independent of response times. @returns milliseconds */
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

/** @returns the number of logins */
async function logIn(
  system: TestSystem,
  accounts: readonly TestAccount[],
  first: number,
  until: number,
): Promise<number> {
  let count = 0;
  for (; performance.now() < until; count += 1) {
    const { username, password } = accounts[(first + count) % accounts.length] ?? {};
    const { status } = await system.request('POST', '/api/login', { body: { username, password } });
    if (status !== 200) throw new Error(`The login failed with status ${status}.`);
  }
  return count;
}

/** As measured by auth since the last call, in milliseconds. */
async function eventLoopDelay(system: TestSystem): Promise<number> {
  const text = await (await fetch(`${system.urlOf('auth')}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? ([\d.e-]+)$/m.exec(text)?.[1];
  return Number(seconds) * 1000;
}

/** Logins per second, and the latency of other auth calls meanwhile. */
export const login: SystemBenchmark = {
  needs: () => ({}),
  async run({ system, step }) {
    step.doing('registering accounts');
    const accounts: TestAccount[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) accounts.push(await system.newAccount());
    step.doing('asking for the auth status alone');
    const idle = await probe(system, performance.now() + SECONDS * 1000);
    await eventLoopDelay(system);

    step.doing('logging in meanwhile');
    const until = performance.now() + SECONDS * 1000;
    const [loaded, ...counts] = await Promise.all([
      probe(system, until),
      ...Array.from({ length: LOGGING_IN }, (_, index) => logIn(system, accounts, index, until)),
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
  },
};
