import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  acceptedTypes,
  OPERATION_IDS,
  ROUTES,
  type OperationId,
  type Role,
  type Route,
} from '@najwa/proto/http/client';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';

let bed: GatewayBed;
beforeAll(async () => {
  bed = await startGatewayBed();
});
afterAll(() => bed.stop());

const state = { 'content-type': 'application/json', 'x-requested-with': 'test' };

/** With a value for each parameter. */
const pathOf = (id: OperationId) => ROUTES[id].path.replaceAll(/\{\w+\}/g, '7');

describe('every operation reaches its service', () => {
  test.each(OPERATION_IDS)('%s', async (id) => {
    const { method, service, body }: Route = ROUTES[id];
    const { headers } = bed.signIn({ isAdmin: true });
    const type = acceptedTypes({ body })[0];
    const response = await bed.fetch(pathOf(id), {
      method,
      headers: { ...headers, 'x-requested-with': 'test', ...(type && { 'content-type': type }) },
      ...(type && { body: '{"a":1}' }),
    });
    expect([response.status, await response.json()]).toEqual([200, { from: service }]);
    expect(bed.upstreams[service].seen.at(-1)).toMatchObject({ method, url: pathOf(id), body: type ? '{"a":1}' : '' });
  });
});

describe('an operation that needs a session', () => {
  test.each(OPERATION_IDS.filter((id) => !(ROUTES[id].roles as readonly Role[]).includes('visitor')))(
    '%s refuses visitors, and accounts without the role',
    async (id) => {
      const { method, service, roles }: Route = ROUTES[id];
      const { seen } = bed.upstreams[service];
      const before = seen.length;
      const codeFor = async (headers: Record<string, string>) => {
        const response = await bed.fetch(pathOf(id), { method, headers: { 'x-requested-with': 'test', ...headers } });
        const { code } = (await response.json()) as { code: string };
        return [response.status, code];
      };
      expect(await codeFor({})).toEqual([401, 'not_signed_in']);
      expect(await codeFor({ cookie: `najwa_session=${'x'.repeat(43)}` })).toEqual([401, 'not_signed_in']);
      if (!roles.includes('user')) expect(await codeFor(bed.signIn().headers)).toEqual([403, 'not_allowed']);
      expect(seen.length).toBe(before);
    },
  );
});

describe('other paths reach the web client', () => {
  test.each(['/', '/help/more', '/assets/app.js?v=1', '/apiary'])('%s', async (path) => {
    expect(await (await bed.fetch(path)).json()).toEqual({ from: 'web' });
    expect(bed.upstreams.web.seen.at(-1)).toMatchObject({ method: 'GET', url: path });
  });
});

describe('an unknown path', () => {
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
    const response = await bed.fetch(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ message: expect.any(String), code: 'not_found' });
  });

  test.each([
    ['PUT', '/api/messages/4', 'DELETE, GET, PATCH'],
    ['OPTIONS', '/api/user', 'GET'],
  ])('%s %s is not a method of the call', async (method, path, allow) => {
    const response = await bed.fetch(path, { method, headers: state });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    expect(await response.json()).toEqual({ message: expect.any(String), code: 'method_not_allowed' });
  });

  test('a page can only be read', async () => {
    const response = await bed.fetch('/about', { method: 'POST', headers: state });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });
});

test('reports liveness and readiness', async () => {
  expect(await (await bed.fetch('/health/live')).json()).toEqual({ live: true });
  expect(await (await bed.fetch('/health/ready')).json()).toEqual({ ready: true, failing: [] });
});

test('a HEAD is answered without a body', async () => {
  const response = await bed.fetch('/m/layla', { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
});

test('passes on several cookies of one answer', async () => {
  bed.upstreams.auth.answer((_request, response) => {
    response.setHeader('Set-Cookie', ['najwa_session=abc; Path=/; HttpOnly', 'other=1; Path=/']).writeHead(204).end();
  });
  const response = await bed.fetch('/api/login', { method: 'POST', headers: state, body: '{}' });
  expect(response.status).toBe(204);
  expect(response.headers.getSetCookie()).toEqual(['najwa_session=abc; Path=/; HttpOnly', 'other=1; Path=/']);
});
