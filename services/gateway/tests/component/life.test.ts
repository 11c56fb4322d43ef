import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';

const beds: GatewayBed[] = [];
afterEach(async () => {
  await Promise.all(beds.splice(0).map((bed) => bed.stop()));
});

async function newBed(environment?: Record<string, string>): Promise<GatewayBed> {
  const started = await startGatewayBed(environment);
  beds.push(started);
  return started;
}

test('several gateways run in one process without sharing anything', async () => {
  const [one, two] = await Promise.all([newBed(), newBed()]);
  await Promise.all([
    one.fetch('/api/auth-status'),
    two.fetch('/api/login', { method: 'POST', headers: { 'x-requested-with': 'test' } }),
  ]);
  expect(one.upstreams.auth.seen.map(({ url }) => url)).toEqual(['/api/auth-status']);
  expect(two.upstreams.auth.seen.map(({ url }) => url)).toEqual(['/api/login']);
  await expect(two.identityOf(one.upstreams.auth.seen[0])).rejects.toThrow();

  await one.gateway.stop();
  expect((await two.fetch('/api/auth-status')).status).toBe(200);
});

test('stop refuses new requests and finishes those in progress', async () => {
  const { gateway, upstreams, fetch } = await newBed();
  const gate: { open?: () => void } = {};
  const opened = new Promise<void>((resolve) => (gate.open = resolve));
  upstreams.auth.answer(async (_request, response) => {
    await opened;
    response.end('complete');
  });
  const underWay = fetch('/api/auth-status');
  await eventually(() => expect(upstreams.auth.seen).toHaveLength(1));
  const stopped = gateway.stop(60_000);
  await eventually(() => expect(fetch('/health/live', { headers: { connection: 'close' } })).rejects.toThrow());
  gate.open?.();
  expect(await (await underWay).text()).toBe('complete');
  await stopped;
});

// Threat model: gateway-15.
test('limits a network with too many requests without affecting others', async () => {
  const { fetch } = await newBed({ RATE_LIMIT_SCALE: '0.01', TRUSTED_PROXIES: '127.0.0.1' });
  const requestFrom = (address: string) => fetch('/api/auth-status', { headers: { 'x-forwarded-for': address } });
  const answers = [];
  for (let count = 0; count < 7; count += 1) answers.push(await requestFrom('203.0.113.1'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429]);
  expect(Number(answers[6]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answers[6]?.json()).toEqual({ message: expect.any(String), code: 'too_many_requests' });
  expect((await requestFrom('203.0.113.2')).status).toBe(200);
});

// Threat model: gateway-15.
test('a small picture takes a place of an upload until it is answered, and a text takes none', async () => {
  const { fetch, upstreams } = await newBed({ RATE_LIMIT_SCALE: '1', MAX_UPLOADS: '100/1' });
  const gate: { open?: () => void } = {};
  const opened = new Promise<void>((resolve) => (gate.open = resolve));
  upstreams.messages.answer(async (_request, response) => {
    if (upstreams.messages.seen.length === 1) await opened;
    response.writeHead(201).end();
  });
  const send = async (imageUrl: string): Promise<number> => {
    const headers = { 'x-requested-with': 'test', 'content-type': 'application/json' };
    const body = `{"userId":1,"content":"a","imageUrl":"${imageUrl}"}`;
    return (await fetch('/api/messages', { method: 'POST', headers, body })).status;
  };
  const [picture, escaped] = ['data:image/png;base64,AAAA', '\\u0064ata:image/png;base64,AAAA'];
  const first = send(picture);
  await eventually(() => expect(upstreams.messages.seen).toHaveLength(1));
  const meanwhile = [await send(picture), await send(escaped), await send('')];
  gate.open?.();
  expect([...meanwhile, await first, await send(escaped)]).toEqual([429, 429, 201, 201, 201]);
});

test('cached answers count against the limit too', async () => {
  const { fetch } = await newBed({ RATE_LIMIT_SCALE: '0.01' });
  const statuses = [];
  for (let count = 0; count < 7; count += 1) statuses.push((await fetch('/api/users/layla')).status);
  expect(statuses.slice(-2)).toEqual([200, 429]);
});

test('serves everything without the broker, with short caching', async () => {
  const { clock, fetch, signIn, resolutions, upstreams } = await newBed({ AMQP_URL: 'amqp://127.0.0.1:1' });
  const { headers } = signIn();
  const read = async () => {
    for (const path of ['/api/auth-status', '/api/users/layla'])
      await eventually(async () => expect((await fetch(path, { headers })).status).toBe(200));
    return [resolutions(), upstreams.auth.seen.filter(({ url }) => url === '/api/users/layla').length] as const;
  };
  const first = await read();
  clock.advance(999);
  expect(await read()).toEqual(first);
  clock.advance(1);
  expect(await read()).toEqual(first.map((count) => count + 1));
});

// Threat model: logs-2, metrics-1.
test('metrics have a port of their own and contain no names', async () => {
  const { fetch, gateway } = await newBed({ METRICS_PORT: '0' });
  await fetch('/api/users/layla');
  await fetch('/m/layla');
  const metrics = await (await globalThis.fetch(`http://127.0.0.1:${gateway.ports().metrics}/metrics`)).text();
  expect(metrics).toContain('operation="getPublicUser"');
  expect(metrics).toContain('operation="publicPage"');
  expect(metrics).not.toContain('layla');
});
