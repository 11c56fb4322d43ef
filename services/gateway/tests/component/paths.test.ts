import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openConnection, rawGet, rawRequest } from '../support/raw-request.js';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';

let bed: GatewayBed;
beforeAll(async () => {
  bed = await startGatewayBed();
  bed.upstreams.web.answer((request, response) => {
    const page = 'the page for unknown addresses';
    if (request.url === '/pages/') response.writeHead(404, { 'Content-Length': page.length }).end(page);
    else response.end();
  });
});
afterAll(() => bed.stop());

const reached = () => Object.values(bed.upstreams).flatMap(({ seen }) => seen.map(({ url }) => url));

// Threat model: gateway-9.
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
  '/m/%2e%2e/api/user',
  '/metrics',
  '/%6detrics',
  '/health/started',
])('%s reaches no service', async (target) => {
  const { status, body } = await rawGet(bed.origin, target);
  expect(status).toBe(404);
  expect(JSON.parse(body)).toEqual({ message: expect.any(String), code: 'not_found' });
  expect(reached()).toEqual([]);
});

// Threat model: gateway-9.
test.each([
  '/api/users/%',
  '/api/users/%zz',
  '/api/users/%ff%fe',
  '/api/users/%00',
  'http://elsewhere.example/api/user',
])('%s is malformed', async (target) => {
  const { status, body } = await rawGet(bed.origin, target);
  expect(status).toBe(400);
  expect(JSON.parse(body)).toEqual({ message: expect.any(String), code: 'malformed' });
  expect(reached()).toEqual([]);
});

test.each([
  '//m/layla',
  '/m/%',
  '/m/layla%',
  '/m/layla%D8',
  '/m/layla%zz',
  '/m/a%2Fb',
  '/%',
  '/x//y',
  '/m/',
  '/m/a%20b',
  '/m/layla/more',
])('a person who follows %s gets the page for unknown addresses', async (target) => {
  bed.upstreams.web.seen.length = 0;
  const { status, body } = await rawGet(bed.origin, target);
  expect([status, body, reached()]).toEqual([404, 'the page for unknown addresses', ['/pages/']]);
  bed.upstreams.web.seen.length = 0;
});

test.each([
  ...['\u200f', '\u200e', '\u200b', '\u2069', '\ufeff', '،', '؟', ')', '@', '!', '»', ' ', '\n', '…', '/،'].map(
    (tail) => `/m/layla${encodeURIComponent(tail)}`,
  ),
  `/m/${encodeURIComponent('\u2066layla\u2069،')}`,
  '/m/@layla',
  '/m/layla%D8%8C%20%D8%B4%D9%88%D9%81%D9%88%D9%87%D8%A7',
  '/M/layla',
  '/m//layla',
])('%s leads to the page that was meant', async (target) => {
  for (const query of ['', '?ask=5']) {
    const answer = await bed.fetch(`${target}${query}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/m/layla${query}`]);
  }
  expect(reached()).toEqual([]);
});

test.each(['GET', 'HEAD'])('%s of the well-known address leads to where a password is changed', async (method) => {
  for (const path of ['/.well-known/change-password', '/.well-known/change-password/?from=manager']) {
    const answer = await bed.fetch(path, { method });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/settings/access']);
  }
  expect(reached()).toEqual([]);
});

test('the operator says where holes are reported, and otherwise there is no such page', async () => {
  const other = await startGatewayBed({ SECURITY_CONTACT: 'mailto:security@najwa.example' });
  try {
    const answer = await other.fetch('/.well-known/security.txt');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const text = await answer.text();
    expect(text).toContain('Contact: mailto:security@najwa.example\n');
    expect(text).toContain(`Canonical: ${other.origin}/.well-known/security.txt\n`);
    expect(Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '')).toBeGreaterThan(Date.now());
  } finally {
    await other.stop();
  }
  await bed.fetch('/.well-known/security.txt');
  expect(reached()).toEqual(['/.well-known/security.txt']);
  bed.upstreams.web.seen.length = 0;
});

test('a way back leads to its own page, and one that is cut short to the client', async () => {
  const token = 'AAAAAAAAAAAAAAAAAAAA_-';
  for (const tail of ['،', '\u200f', '.', ')', ' ']) {
    const answer = await bed.fetch(`/r/${token}${encodeURIComponent(tail)}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/r/${token}`]);
  }
  expect(reached()).toEqual([]);
  for (const path of [`/r/${token}`, `/r/${token.slice(1)}%D8%8C`]) expect((await bed.fetch(path)).status).toBe(200);
  for (const { seen } of [bed.upstreams.web, bed.upstreams.messages]) seen.length = 0;
});

// Threat model: gateway-9.
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
  // Writing to a connection that the peer destroyed resets it.
  const writing = setInterval(() => socket.write('x'), 100);
  await isClosed;
  clearInterval(writing);
});
