import type { AppError } from '@najwa/common/errors';
import { ROUTES } from '@najwa/proto/http/client';
import { describe, expect, test } from '@jest/globals';
import { ORIGIN, runPolicy, type PolicyRequest } from '../../tests/support/policy.js';
import type { Operation } from '../domain/operations.js';
import { Windows } from '../domain/windows.js';
import { createAdmission, createNetworkLimit } from './admission.js';

const LOGIN: Operation = { ...ROUTES.login, id: 'login' };

const from = (network: string) => ({ exchange: { origin: { ...ORIGIN, network } } });

const codeOfError = (error: unknown) => (error as AppError | undefined)?.code;

describe('the limit of a network', () => {
  test.each([
    ['requests', createNetworkLimit],
    ['calls of the API', createAdmission],
  ])('refuses %s beyond the limit with Retry-After, for this network only', async (_title, create) => {
    const networks = new Windows({ points: 2, windowMs: 60_000, scale: 1, isShared: false });
    const limit = create({ networks });
    const asked = [
      await runPolicy(limit, from('192.0.2.1')),
      await runPolicy(limit, from('192.0.2.1')),
      await runPolicy(limit, from('192.0.2.1')),
      await runPolicy(limit, from('192.0.2.2')),
    ];
    expect(asked.map(({ error }) => (error as AppError | undefined)?.code)).toEqual([
      undefined,
      undefined,
      'too_many_requests',
      undefined,
    ]);
    const { retryAfter } = asked[2]?.error as AppError;
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });
});

const policy = createAdmission({ networks: { take: () => 0 } });
const OWN = { origin: 'https://najwa.example', 'content-type': 'application/json', 'content-length': '2' };
async function codeOf(request: PolicyRequest): Promise<string | undefined> {
  const { error } = await runPolicy(policy, { method: 'POST', url: '/api/login', ...request });
  return (error as AppError | undefined)?.code;
}

describe('a state change', () => {
  test.each<[string, Record<string, string>]>([
    ['from our own page', OWN],
    ['from our own page, with the usual port', { ...OWN, origin: 'https://najwa.example:443' }],
    [
      'from a program with its own header',
      { 'x-requested-with': 'cli', 'content-type': 'application/json; charset=utf-8', 'content-length': '2' },
    ],
    ['without a body', { origin: 'https://najwa.example', 'content-length': '0' }],
  ])('%s passes', async (_title, headers) => expect(await codeOf({ headers })).toBeUndefined());

  // Threat model: gateway-2.
  test.each<[string, Record<string, string>]>([
    ['another site', { ...OWN, origin: 'https://evil.example' }],
    ['another port', { ...OWN, origin: 'https://najwa.example:8443' }],
    ['a name that begins like ours', { ...OWN, origin: 'https://najwa.example.evil.example' }],
    ['an opaque origin', { ...OWN, origin: 'null' }],
    ['text that is not an origin', { ...OWN, origin: 'najwa.example' }],
    ['another site, as the browser reports', { ...OWN, 'sec-fetch-site': 'cross-site' }],
    ['no origin at all', { 'content-type': 'application/json', 'content-length': '2' }],
    ['another site that claims to be a program', { ...OWN, origin: 'https://evil.example', 'x-requested-with': 'x' }],
  ])('a state change from %s is refused', async (_title, headers) =>
    expect(await codeOf({ headers })).toBe('cross_site'),
  );

  test.each([
    ['PUT', '/api/users/password'],
    ['PATCH', '/api/users'],
    ['DELETE', '/api/messages/4'],
  ])('a state change with %s is checked too', async (method, url) => {
    expect(await codeOf({ method, url, headers: { origin: 'https://evil.example' } })).toBe('cross_site');
  });

  // Threat model: gateway-2.
  test.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/xml',
    'text/xml',
    'multipart/form-data; boundary=x',
    'image/png',
    '',
  ])('a state change as %p is refused', async (type) => {
    expect(await codeOf({ headers: { ...OWN, 'content-type': type } })).toBe('unsupported_media_type');
  });

  test('a state change with a body without a type is refused', async () => {
    expect(await codeOf({ headers: { origin: 'https://najwa.example', 'content-length': '2' } })).toBe(
      'unsupported_media_type',
    );
    expect(await codeOf({ headers: { origin: 'https://najwa.example', 'transfer-encoding': 'chunked' } })).toBe(
      'unsupported_media_type',
    );
  });

  test('a state change may be a form where the operation accepts files', async () => {
    const headers = { ...OWN, 'content-type': 'multipart/form-data; boundary=x' };
    expect(await codeOf({ url: '/api/audio/upload?x=1', headers })).toBeUndefined();
    expect(await codeOf({ url: '/api/login', headers })).toBe('unsupported_media_type');
  });
});

test.each(['GET', 'HEAD'])('%s is accepted from anywhere', async (method) => {
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect(await codeOf({ method, url: '/api/user', headers })).toBeUndefined();
});

describe('the operation of a request', () => {
  test.each([
    ['GET', '/api/messages?before=9', 'listMessages'],
    ['HEAD', '/api/messages/', 'listMessages'],
    ['GET', '/api/messages/sent', 'listSentMessages'],
    ['GET', '/api/messages/months', 'listMessageMonths'],
    ['DELETE', '/api/messages/sent', 'deleteMessage'],
    ['PATCH', '/api/messages/4', 'updateMessage'],
    ['PUT', '/api/users/password', 'changePassword'],
    ['GET', '/api/users/by-id/7', 'getUserById'],
  ])('%s %s is %s', async (method, url, id) => {
    const { error, exchange } = await runPolicy(policy, { method, url, headers: { 'x-requested-with': 'cli' } });
    expect([error, exchange.operation?.id]).toEqual([undefined, id]);
  });

  test.each([
    ['PUT', '/api/messages/4', 'DELETE, GET, PATCH'],
    ['OPTIONS', '/api/user', 'GET'],
  ])('%s %s does not exist', async (method, url, allow) => {
    const { error, response } = await runPolicy(policy, { method, url });
    expect(codeOfError(error)).toBe('method_not_allowed');
    expect(response.getHeader('allow')).toBe(allow);
  });

  test.each(['/api/messages/4/more', '/api/messages//', '/api/sessions/a/b', '/api/User', '/api/usersx'])(
    '%s is not found',
    async (url) => expect(codeOfError((await runPolicy(policy, { url })).error)).toBe('not_found'),
  );
});

describe('a body', () => {
  const codeFor = (url: string, length: number) => {
    const type = url === '/api/audio/upload' ? 'multipart/form-data; boundary=x' : 'application/json';
    return codeOf({ url, headers: { ...OWN, 'content-type': type, 'content-length': String(length) } });
  };

  test.each([
    ['/api/login', 64 * 1024],
    ['/api/logout', 64 * 1024],
    ['/api/messages', ROUTES.createMessage.body.maxBytes],
    ['/api/audio/upload', ROUTES.uploadVoiceMessage.body.maxBytes],
  ])('a body of %s may have %i bytes, and not one more', async (url, bytes) => {
    expect(await codeFor(url, bytes)).toBeUndefined();
    expect(await codeFor(url, bytes + 1)).toBe('payload_too_large');
  });
});

test('the form of a page keeps the operation that was found for it, at any address', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(64 * 1024 + 1) };
  const form = { url: '/auth', exchange: { operation: LOGIN } };
  expect(await codeOf({ ...form, headers: { ...headers, 'content-length': '9' } })).toBeUndefined();
  expect(await codeOf({ ...form, headers })).toBe('payload_too_large');
});
