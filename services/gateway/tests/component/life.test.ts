import { createHash } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@najwa/dev-env';
import { startWorld, type World } from '../support/world.js';

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.stop()));
});

async function world(environment?: Record<string, string>): Promise<World> {
  const started = await startWorld(environment);
  worlds.push(started);
  return started;
}

test('several gateways in one process do not know each other', async () => {
  const [one, two] = await Promise.all([world(), world()]);
  await Promise.all([
    one.fetch('/api/user'),
    two.fetch('/api/login', { method: 'POST', headers: { 'x-requested-with': 'test' } }),
  ]);
  expect(one.upstreams.auth.seen.map(({ url }) => url)).toEqual(['/api/user']);
  expect(two.upstreams.auth.seen.map(({ url }) => url)).toEqual(['/api/login']);
  await expect(two.identityOf(one.upstreams.auth.seen[0])).rejects.toThrow();

  await one.gateway.stop();
  expect((await two.fetch('/api/user')).status).toBe(200);
});

test('a stop takes nothing new and lets what is under way finish', async () => {
  const { gateway, upstreams, fetch } = await world();
  const gate: { open?: () => void } = {};
  const opened = new Promise<void>((resolve) => (gate.open = resolve));
  upstreams.auth.answer(async (_request, response) => {
    await opened;
    response.end('whole');
  });
  const underWay = fetch('/api/user');
  await eventually(() => expect(upstreams.auth.seen).toHaveLength(1));
  const stopped = gateway.stop();
  await eventually(() => expect(fetch('/health/live', { headers: { connection: 'close' } })).rejects.toThrow());
  gate.open?.();
  expect(await (await underWay).text()).toBe('whole');
  await stopped;
});

test('an address that asks too often waits, and others do not', async () => {
  const { fetch } = await world({ RATE_LIMIT_SCALE: '0.01', TRUSTED_PROXIES: '127.0.0.1' });
  const ask = (address: string) => fetch('/api/user', { headers: { 'x-forwarded-for': address } });
  const answers = [];
  for (let count = 0; count < 7; count += 1) answers.push(await ask('203.0.113.1'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429]);
  expect(Number(answers[6]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answers[6]?.json()).toEqual({ message: expect.any(String), code: 'too_many_requests' });
  expect((await ask('203.0.113.2')).status).toBe(200);
});

test('what is remembered counts against the limit too', async () => {
  const { fetch } = await world({ RATE_LIMIT_SCALE: '0.01' });
  const statuses = [];
  for (let count = 0; count < 7; count += 1) statuses.push((await fetch('/api/users/layla')).status);
  expect(statuses.slice(-2)).toEqual([200, 429]);
});

test('while the broker is away, everything is served, and nothing is remembered for long', async () => {
  const { fetch, sessions, resolutions, upstreams } = await world({ AMQP_URL: 'amqp://127.0.0.1:1' });
  const token = 'x'.repeat(43);
  sessions.set(createHash('sha256').update(token).digest('hex'), { userId: 7, isAdmin: false, sessionId: 's' });
  const headers = { cookie: `najwa_session=${token}` };
  expect((await fetch('/api/user', { headers })).status).toBe(200);
  expect((await fetch('/api/users/layla')).status).toBe(200);
  await eventually(async () => {
    await fetch('/api/user', { headers });
    await fetch('/api/users/layla');
    expect(resolutions()).toBeGreaterThan(1);
    expect(upstreams.auth.seen.filter(({ url }) => url === '/api/users/layla').length).toBeGreaterThan(1);
  }, 2_000);
});

test('the metrics have a port of their own, and tell no names', async () => {
  const { fetch, gateway } = await world({ METRICS_PORT: '0' });
  await fetch('/api/users/layla');
  await fetch('/m/layla');
  const metrics = await (await globalThis.fetch(`http://127.0.0.1:${gateway.ports().metrics}/metrics`)).text();
  expect(metrics).toContain('route="public-reads"');
  expect(metrics).toContain('route="pages"');
  expect(metrics).not.toContain('layla');
});
