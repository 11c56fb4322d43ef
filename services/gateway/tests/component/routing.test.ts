import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const state = { 'content-type': 'application/json', 'x-requested-with': 'test' };

describe('each path reaches its service', () => {
  test.each([
    ['GET', '/api/user', 'auth'],
    ['POST', '/api/login', 'auth'],
    ['POST', '/api/register', 'auth'],
    ['POST', '/api/logout', 'auth'],
    ['GET', '/api/auth-status', 'auth'],
    ['PATCH', '/api/users', 'auth'],
    ['GET', '/api/users/by-id/7', 'auth'],
    ['GET', '/api/messages?before=9&limit=2', 'messages'],
    ['POST', '/api/messages', 'messages'],
    ['PATCH', '/api/messages/4', 'messages'],
    ['POST', '/api/replies', 'messages'],
    ['GET', '/api/replies/4', 'messages'],
    ['POST', '/api/audio/upload', 'messages'],
    ['POST', '/api/audio/preview', 'media'],
    ['GET', '/api/audio/stream/abc', 'media'],
    ['GET', '/api/image/abc.webp', 'media'],
    ['POST', '/api/chat', 'chatbot'],
    ['POST', '/api/chat/upload', 'chatbot'],
    ['GET', '/api/admin/sender-tracking', 'admin'],
    ['GET', '/', 'web'],
    ['GET', '/m/layla', 'web'],
    ['GET', '/assets/app.js?v=1', 'web'],
    ['GET', '/apiary', 'web'],
  ] as const)('%s %s → %s', async (method, path, service) => {
    const response = await world.fetch(path, { method, headers: state, ...(method !== 'GET' && { body: '{"a":1}' }) });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ from: service });
    expect(world.upstreams[service].seen.at(-1)).toMatchObject({
      method,
      url: path,
      body: method === 'GET' ? '' : '{"a":1}',
    });
  });
});

describe('what no service has', () => {
  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/usersx',
    '/api/audio',
    '/health',
    '/health/other',
    '/metrics',
    '/metrics/x',
  ])('%s is not found', async (path) => {
    const response = await world.fetch(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ message: expect.any(String), code: 'not_found' });
  });

  test('a page can only be read', async () => {
    const response = await world.fetch('/m/layla', { method: 'POST', headers: state });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });
});

test('says whether it lives and is ready', async () => {
  expect(await (await world.fetch('/health/live')).json()).toEqual({ live: true });
  expect(await (await world.fetch('/health/ready')).json()).toEqual({ ready: true, failing: [] });
});

test('a HEAD is answered without a body', async () => {
  const response = await world.fetch('/m/layla', { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
});

test('several cookies of a service stay several', async () => {
  world.upstreams.auth.answer((_request, response) => {
    response.setHeader('Set-Cookie', ['najwa_session=abc; Path=/; HttpOnly', 'other=1; Path=/']).writeHead(204).end();
  });
  const response = await world.fetch('/api/login', { method: 'POST', headers: state, body: '{}' });
  expect(response.status).toBe(204);
  expect(response.headers.getSetCookie()).toEqual(['najwa_session=abc; Path=/; HttpOnly', 'other=1; Path=/']);
});
