import { hashSessionToken } from '@najwa/common/http';
import { createLogger } from '@najwa/common/logging';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@najwa/testing';
import { create, loadConfig } from '@najwa/gateway';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';

let bed: GatewayBed;
beforeAll(async () => {
  bed = await startGatewayBed({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => bed.stop());

const lastSeen = () => bed.upstreams.auth.seen.at(-1);

test('a visitor has an address and no account', async () => {
  await bed.fetch('/api/auth-status', { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(await bed.identityOf(lastSeen())).toEqual({
    user: null,
    visitorId: expect.stringMatching(/^[\w-]{22}$/),
    ip: '203.0.113.9',
  });
});

// Threat model: admin-12.
test('a site that keeps no addresses passes none on', async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const gateway = await create(loadConfig({ ...bed.environment, TRACKING: 'off' }), { logger });
  await gateway.start();
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await fetch(`http://127.0.0.1:${gateway.ports().http}/api/auth-status`, { headers });
  await gateway.stop();
  expect(JSON.stringify(await bed.identityOf(lastSeen()))).not.toContain('203.0.113');
});

test('a session becomes an identity', async () => {
  const { headers } = bed.signIn({ userId: 7, sessionId: 'session of layla' });
  await bed.fetch('/api/auth-status', { headers });
  expect((await bed.identityOf(lastSeen())).user).toEqual({ id: 7, isAdmin: false, sessionId: 'session of layla' });
});

// Threat model: gateway-1.
test('headers that claim an identity are not passed on', async () => {
  const { headers } = bed.signIn({ userId: 8 });
  await bed.fetch('/api/auth-status', { headers });
  const token = String(lastSeen()?.headers['x-najwa-identity']);

  await bed.fetch('/api/auth-status', {
    headers: {
      'X-Najwa-Identity': token,
      'x-najwa-user': '1',
      'x-forwarded-user': 'admin',
      'x-forwarded-host': 'najwa.example',
      'x-request-id': 'chosen-by-a-client',
      forwarded: 'for=1.2.3.4',
      cookie: 'a=b',
    },
  });
  const arrived = lastSeen()?.headers ?? {};
  expect((await bed.identityOf(lastSeen())).user).toBeNull();
  expect(
    Object.keys(arrived)
      .filter((name) => /^x-|forwarded|cookie/.test(name))
      .sort(),
  ).toEqual(['x-forwarded-host', 'x-forwarded-proto', 'x-najwa-identity', 'x-request-id']);
  expect(arrived['x-forwarded-host']).toBe('najwa.example');
  expect(arrived['x-request-id']).not.toBe('chosen-by-a-client');
});

// Threat model: http-4.
test('the session token stays at the gateway', async () => {
  const { token, headers } = bed.signIn({ userId: 9 });
  await bed.fetch('/api/auth-status', { headers });
  expect(JSON.stringify(lastSeen())).not.toContain(token);
});

test('a hundred concurrent requests ask auth once', async () => {
  const { headers } = bed.signIn({ userId: 10 });
  const before = bed.resolutions();
  const responses = await Promise.all(Array.from({ length: 100 }, () => bed.fetch('/api/auth-status', { headers })));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(bed.resolutions() - before).toBe(1);
});

// Threat model: gateway-6.
test('the end of a session takes effect with its event', async () => {
  const { token, headers } = bed.signIn({ userId: 11 });
  await bed.fetch('/api/auth-status', { headers });
  expect((await bed.identityOf(lastSeen())).user?.id).toBe(11);

  bed.sessions.delete(hashSessionToken(token).toString('hex'));
  await bed.publish({ $case: 'sessionEnded', value: { tokenHash: hashSessionToken(token) } });
  await eventually(async () => {
    await bed.fetch('/api/auth-status', { headers });
    expect((await bed.identityOf(lastSeen())).user).toBeNull();
  });
});

test('pages are served without resolving the session, and set no cookie', async () => {
  const { headers } = bed.signIn({ userId: 12 });
  const before = bed.resolutions();
  const response = await bed.fetch('/m/layla', { headers });
  expect(bed.resolutions()).toBe(before);
  expect(bed.upstreams.web.seen.at(-1)?.headers).not.toHaveProperty('x-najwa-identity');
  expect(bed.upstreams.web.seen.at(-1)?.headers).toHaveProperty('cookie', 'language=ar');
  expect(response.headers.getSetCookie()).toEqual([]);
});

// Threat model: http-7.
test('callers with a session are not treated as visitors while auth is down', async () => {
  const { headers } = bed.signIn({ userId: 13 });
  await bed.authRpc.stop();
  const response = await bed.fetch('/api/auth-status', { headers });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await response.json()).toEqual({ message: expect.any(String), code: 'unavailable' });
  expect((await bed.fetch('/api/auth-status')).status).toBe(200);
});
