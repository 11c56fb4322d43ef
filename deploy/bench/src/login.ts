import { rounds as roundsOf, sizes } from '@najwa/dev/bootstrap/smoke';
import type { TestAccount, TestSystem } from '@najwa/testing';
import { newAccounts, type SystemBenchmark } from './benchmark.js';
import { timesAtPace } from './load.js';
import { metricOf } from './processor-time.js';
import { atMost } from './result.js';
import { percentile, rounded } from './statistics.js';

const ACCOUNTS = sizes({ full: 20, smoke: 2 });
const LOGGING_IN = sizes({ full: 8, smoke: 2 });
const ROUNDS = roundsOf(3);
const SECONDS = sizes({ full: 5, smoke: 0.5 });
const PROBES_PER_SECOND = 50;

/** @returns milliseconds of each answer */
const probe = (system: TestSystem): Promise<number[]> =>
  timesAtPace(PROBES_PER_SECOND, SECONDS, async () => {
    const { status } = await system.request('GET', '/api/auth-status');
    if (status !== 200) throw new Error(`The auth status failed with status ${status}.`);
  });

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
const eventLoopDelay = async (system: TestSystem): Promise<number> =>
  (await metricOf(system, 'auth', 'nodejs_eventloop_lag_p99_seconds')) * 1000;

/** Logins per second, and the latency of other auth calls meanwhile. */
export const login: SystemBenchmark = {
  needs: () => ({}),
  async run({ system, step }) {
    step.doing('registering accounts');
    const accounts = await newAccounts(system, ACCOUNTS);
    const rounds = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      step.doing(`asking for the auth status alone, round ${round} of ${ROUNDS}`);
      const idle = percentile(await probe(system), 99);
      await eventLoopDelay(system);

      step.doing('logging in meanwhile');
      const until = performance.now() + SECONDS * 1000;
      const [loaded, ...counts] = await Promise.all([
        probe(system),
        ...Array.from({ length: LOGGING_IN }, (_, index) => logIn(system, accounts, index, until)),
      ]);
      rounds.push({
        auth_status_p99_ms_idle: rounded(idle, 1),
        auth_status_p99_ms: rounded(percentile(loaded, 99), 1),
        logins_per_second: rounded(counts.reduce((sum, count) => sum + count, 0) / SECONDS, 1),
        event_loop_delay_p99_ms: rounded(await eventLoopDelay(system), 1),
      });
    }
    return {
      bench: 'login',
      aims: {
        auth_status_p99_ms_during_logins: atMost(
          rounds.map((round) => round.auth_status_p99_ms),
          50,
          1,
        ),
      },
      rounds,
      logging_in: LOGGING_IN,
    };
  },
};
