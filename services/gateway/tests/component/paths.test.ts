import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rawGet, rawRequest } from '../support/raw-request.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const reached = () => Object.values(world.upstreams).flatMap(({ seen }) => seen.map(({ url }) => url));

test.each([
  '/api/../health/ready',
  '/api/users/../../metrics',
  '/api/%2e%2e/health/ready',
  '/api/..%2fmetrics',
  '/api/users/..%2f..%2fmetrics',
  '/api/messages/..%5c..%5cmetrics',
  '//api/user',
  '/api//user',
  '/API/user',
  '/Api/admin/sender-tracking',
  '/%61pi/user',
  '/health/../api/user',
  '/m/../metrics',
  '/metrics',
  '/%6detrics',
  '/health/started',
])('%s reaches nobody', async (target) => {
  const { status, body } = await rawGet(world.origin, target);
  expect(status).toBe(404);
  expect(JSON.parse(body)).toEqual({ message: expect.any(String), code: 'not_found' });
  expect(reached()).toEqual([]);
});

test.each([
  '/api/users/%',
  '/api/users/%zz',
  '/api/users/%ff%fe',
  '/api/users/%00',
  'http://elsewhere.example/api/user',
  '/m/%',
])('%s is malformed', async (target) => {
  const { status, body } = await rawGet(world.origin, target);
  expect(status).toBe(400);
  expect(JSON.parse(body)).toEqual({ message: expect.any(String), code: 'malformed' });
  expect(reached()).toEqual([]);
});

test.each([
  ['no HTTP', 'nonsense\r\n\r\n', 400],
  ['two lengths', 'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
  [
    'a length and chunks',
    'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['a head without end', `GET /api/user HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
])('%s is refused in the usual form', async (_title, text, expected) => {
  const { status, body } = await rawRequest(world.origin, text);
  expect(status).toBe(expected);
  expect(JSON.parse(body)).toEqual({ message: expect.any(String), code: 'malformed' });
  expect(reached()).toEqual([]);
});

test('a refusal is data like every other answer on /api', async () => {
  const { headers } = await world.fetch('/metrics');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(headers.has('x-powered-by')).toBe(false);
});
