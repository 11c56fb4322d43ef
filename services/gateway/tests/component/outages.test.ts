// Long run: every part is taken away.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requiredVariable } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import { answerAsWebClient } from '../support/web-client.js';

const PROFILE = '/api/users/layla';
const LIST = '/api/messages/public/7?limit=20';
const PAGE = '/m/layla';
/** Longer than an answer is fresh. */
const NOTICED_MS = 60_000;

/** The test can cut it. */
async function openRelay() {
  const { hostname, port, username, password } = new URL(requiredVariable('AMQP_URL'));
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port || 5672), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const user = username === '' ? '' : `${username}:${password}@`;
  return {
    url: `amqp://${user}127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

let bed: GatewayBed;
let relay: Awaited<ReturnType<typeof openRelay>>;

beforeAll(async () => {
  relay = await openRelay();
  bed = await startGatewayBed({ AMQP_URL: relay.url, METRICS_PORT: '0' });
  const json = (value: unknown): Parameters<typeof bed.upstreams.auth.answer>[0] => {
    return (_request, response) => {
      response.setHeader('Content-Type', 'application/json; charset=utf-8').end(JSON.stringify(value));
    };
  };
  bed.upstreams.auth.answer(json({ id: 7, username: 'layla', name: 'ليلى', bio: '', avatar: null }));
  bed.upstreams.messages.answer(json([]));
  answerAsWebClient(bed.upstreams.web);
});
afterAll(async () => {
  relay.cut();
  await bed.stop();
});

/** Until an answer is marked as stale, or a time-out. @returns the marked paths */
async function visitUntilStale(paths: readonly string[]): Promise<string[]> {
  const marked = new Set<string>();
  const deadline = performance.now() + NOTICED_MS;
  while (performance.now() < deadline && paths.some((path) => !marked.has(path))) {
    bed.clock.advance(100);
    for (const path of [PAGE, PROFILE, LIST]) {
      const answer = await bed.fetch(path);
      expect([path, answer.status]).toEqual([path, 200]);
      await answer.arrayBuffer();
      if (answer.headers.has('cache-status')) marked.add(path);
    }
  }
  return [...marked].sort();
}

// Threat model: http-6.
test('remembered pages are given while any part behind the gateway is away', async () => {
  await visitUntilStale([]);
  for (const path of [PAGE, PROFILE, LIST]) expect((await bed.fetch(path)).headers.has('cache-status')).toBe(false);

  await bed.upstreams.auth.close();
  expect(await visitUntilStale([PAGE, PROFILE])).toEqual([PROFILE, PAGE].sort());
  await bed.upstreams.messages.close();
  expect(await visitUntilStale([LIST])).toContain(LIST);
  await bed.upstreams.web.close();
  relay.cut();
  expect(await visitUntilStale([PAGE, PROFILE, LIST])).toEqual([PAGE, PROFILE, LIST].sort());

  const metrics = await (await fetch(`http://127.0.0.1:${bed.gateway.ports().metrics}/metrics`)).text();
  const stale = /^cache_stale_total\{cache="public-answers".*\} (\d+)$/m.exec(metrics)?.[1];
  expect(Number(stale)).toBeGreaterThan(0);
  expect((await bed.fetch('/api/users/nobody')).status).toBe(503);
}, 240_000);
