import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@najwa/dev-env';
import { startWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => world.stop());

const hash = (token: string) => createHash('sha256').update(token).digest();

/** A session that auth knows, and the cookie that goes with it. */
function signIn(name: string, userId: number) {
  const token = `token-of-${name}`.padEnd(43, 'x');
  world.sessions.set(hash(token).toString('hex'), { userId, isAdmin: false, sessionId: `session of ${name}` });
  return { token, headers: { cookie: `najwa_session=${token}` } };
}

const lastSeen = () => world.upstreams.auth.seen.at(-1);

test('a visitor is one, with an address and without an account', async () => {
  await world.fetch('/api/user', { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(await world.identityOf(lastSeen())).toEqual({
    user: null,
    visitorId: expect.stringMatching(/^[\w-]{22}$/),
    ip: '203.0.113.9',
  });
});

test('a session becomes an identity', async () => {
  const { headers } = signIn('layla', 7);
  await world.fetch('/api/user', { headers });
  expect((await world.identityOf(lastSeen())).user).toEqual({ id: 7, isAdmin: false, sessionId: 'session of layla' });
});

test('what a client says of itself never arrives', async () => {
  const { headers } = signIn('omar', 8);
  await world.fetch('/api/user', { headers });
  const token = String(lastSeen()?.headers['x-najwa-identity']);

  await world.fetch('/api/user', {
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
  expect((await world.identityOf(lastSeen())).user).toBeNull();
  expect(
    Object.keys(arrived)
      .filter((name) => /^x-|forwarded|cookie/.test(name))
      .sort(),
  ).toEqual(['x-forwarded-host', 'x-forwarded-proto', 'x-najwa-identity', 'x-request-id']);
  expect(arrived['x-forwarded-host']).toBe('najwa.example');
  expect(arrived['x-request-id']).not.toBe('chosen-by-a-client');
});

test('the session token stays at the gateway', async () => {
  const { token, headers } = signIn('salma', 9);
  await world.fetch('/api/user', { headers });
  expect(JSON.stringify(lastSeen())).not.toContain(token);
});

test('a hundred requests at once ask auth once', async () => {
  const { headers } = signIn('many', 10);
  const before = world.resolutions();
  const responses = await Promise.all(Array.from({ length: 100 }, () => world.fetch('/api/user', { headers })));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(world.resolutions() - before).toBe(1);
});

test('the end of a session is felt within a second', async () => {
  const { token, headers } = signIn('leaving', 11);
  await world.fetch('/api/user', { headers });
  expect((await world.identityOf(lastSeen())).user?.id).toBe(11);

  world.sessions.delete(hash(token).toString('hex'));
  await world.publish({ $case: 'sessionEnded', value: { tokenHash: hash(token) } });
  await eventually(async () => {
    await world.fetch('/api/user', { headers });
    expect((await world.identityOf(lastSeen())).user).toBeNull();
  }, 1_000);
});

test('pages are served without asking who it is, and give the visitor a cookie', async () => {
  const { headers } = signIn('reader', 12);
  const before = world.resolutions();
  const response = await world.fetch('/m/layla', { headers });
  expect(world.resolutions()).toBe(before);
  expect(world.upstreams.web.seen.at(-1)?.headers).not.toHaveProperty('x-najwa-identity');
  expect(world.upstreams.web.seen.at(-1)?.headers).not.toHaveProperty('cookie');
  expect(response.headers.getSetCookie()).toEqual([expect.stringContaining('najwa_visitor=')]);
});

test('while auth is away, who has a session is not taken for a visitor', async () => {
  const { headers } = signIn('waiting', 13);
  await world.authRpc.stop();
  const response = await world.fetch('/api/user', { headers });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await response.json()).toEqual({ message: expect.any(String), code: 'unavailable' });
  expect((await world.fetch('/api/user')).status).toBe(200);
});
