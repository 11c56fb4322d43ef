import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openConnection, rawGet, rawRequest } from '../support/raw-request.js';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';

let bed: GatewayBed;
beforeAll(async () => {
  bed = await startGatewayBed();
});
afterAll(() => bed.stop());

const reached = () => Object.values(bed.upstreams).flatMap(({ seen }) => seen.map(({ url }) => url));

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
])('%s reaches no service', async (target) => {
  const { status, body } = await rawGet(bed.origin, target);
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
  const { status, body } = await rawGet(bed.origin, target);
  expect(status).toBe(400);
  expect(JSON.parse(body)).toEqual({ message: expect.any(String), code: 'malformed' });
  expect(reached()).toEqual([]);
});

test.each([
  ['text that is not HTTP', 'nonsense\r\n\r\n', 400],
  ['two lengths', 'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
  [
    'a length and chunks',
    'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['an endless head', `GET /api/user HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
])('%s is refused as JSON', async (_title, text, expected) => {
  const { status, body } = await rawRequest(bed.origin, text);
  expect(status).toBe(expected);
  expect(JSON.parse(body)).toEqual({ message: expect.any(String), code: 'malformed' });
  expect(reached()).toEqual([]);
});

test('a refusal has the headers of every JSON answer', async () => {
  const { headers } = await bed.fetch('/metrics');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(headers.has('x-powered-by')).toBe(false);
});

test('a refused connection is destroyed, even if the client keeps it open', async () => {
  const socket = openConnection(bed.origin);
  socket.write('nonsense\r\n\r\n');
  socket.resume();
  const isClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // Writing to a connection that the other side has destroyed resets it.
  const writing = setInterval(() => socket.write('x'), 100);
  await isClosed;
  clearInterval(writing);
});
