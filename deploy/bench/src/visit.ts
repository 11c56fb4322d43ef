import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startTestSystem } from '@najwa/dev-env';
import type { BareAnswer } from './bare-server.js';
import { requestsPerSecond } from './load.js';
import type { BenchResult } from './result.js';
import { median, rounded } from './statistics.js';

const ROUNDS = 5;
const CONNECTIONS = 50;
const WARM_UP = { connections: CONNECTIONS, seconds: 2 };
const ROUND = { connections: CONNECTIONS, seconds: 4 };

const REGISTRATION = {
  name: 'ليلى',
  username: 'layla',
  password: 'correct horse battery',
  confirmPassword: 'correct horse battery',
  bio: 'اكتب لي ما تشاء',
  terms: true,
};

async function startBareServer(answer: BareAnswer) {
  const child = fork(new URL('./bare-server.js', import.meta.url), { execArgv: [] });
  child.send(answer);
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

/**
 * Profile reads per second of the gateway relative to a bare Node.js server with the same response. Rounds alternate,
 * so that other load affects both equally.
 */
export async function run(): Promise<BenchResult> {
  // Limits are counted as in production, but never reached.
  const system = await startTestSystem({ env: { RATE_LIMIT_SCALE: '100000' } });
  try {
    const { status } = await system.request('POST', '/api/register', { body: REGISTRATION });
    if (status !== 201) throw new Error(`Registration failed with status ${status}.`);
    const profile = `${system.url}/api/users/${REGISTRATION.username}`;
    const answer = await fetch(profile);
    const bare = await startBareServer({
      contentType: answer.headers.get('content-type') ?? '',
      body: await answer.text(),
    });
    try {
      for (const url of [profile, bare.url]) await requestsPerSecond(url, WARM_UP);
      const rounds: { gateway: number; bare: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push({
          bare: await requestsPerSecond(bare.url, ROUND),
          gateway: await requestsPerSecond(profile, ROUND),
        });
      }
      return {
        bench: 'visit',
        aims: {
          gateway_to_bare_ratio: {
            value: rounded(median(rounds.map(({ gateway, bare }) => gateway / bare))),
            aim: 0.2,
            better: 'higher',
          },
        },
        gateway_requests_per_second: rounded(median(rounds.map(({ gateway }) => gateway)), 0),
        bare_requests_per_second: rounded(median(rounds.map(({ bare }) => bare)), 0),
        connections: CONNECTIONS,
        rounds: ROUNDS,
      };
    } finally {
      bare.stop();
    }
  } finally {
    await system.stop();
  }
}
