import { clientScopes, type AppError } from '@najwa/common';
import { ROUTES } from '@najwa/proto/http/client';
import { describe, expect, jest, test } from '@jest/globals';
import { ORIGIN, runPolicy, type PolicyRequest } from '../../tests/support/policy.js';
import { createConcurrencyLimit } from '../domain/concurrency-limit.js';
import type { Operation } from '../domain/operations.js';
import { createWindows } from '../domain/windows.js';
import {
  createBodySize,
  createConcurrencyPolicy,
  createCrossSiteCheck,
  createNetworkLimit,
  createOperationPolicy,
  createRoles,
} from './admission.js';

const LOGIN: Operation = { ...ROUTES.login, id: 'login' };

const from = (network: string) => ({
  exchange: { origin: { ...ORIGIN, network, scopes: clientScopes(network) } },
});

const codeOfError = (error: unknown) => (error as AppError | undefined)?.code;

describe('the limit of a network', () => {
  test('refuses requests beyond the limit with Retry-After, for this network only', async () => {
    const networks = createWindows({ points: 2, windowMs: 60_000, scale: 1, isShared: false });
    const limit = createNetworkLimit({ networks });
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

const check = createCrossSiteCheck();
const OWN = { origin: 'https://najwa.example', 'content-type': 'application/json', 'content-length': '2' };
async function codeOf(request: PolicyRequest): Promise<string | undefined> {
  const { error } = await runPolicy(check, { method: 'POST', url: '/api/login', ...request });
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
  ])('from %s is refused', async (_title, headers) => expect(await codeOf({ headers })).toBe('cross_site'));

  test.each(['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])('with %s is checked too', async (method) => {
    expect(await codeOf({ method, exchange: { operation: LOGIN }, headers: { origin: 'https://evil.example' } })).toBe(
      'cross_site',
    );
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
  ])('as %p is refused', async (type) => {
    expect(await codeOf({ headers: { ...OWN, 'content-type': type } })).toBe('unsupported_media_type');
  });

  test('with a body without a type is refused', async () => {
    expect(await codeOf({ headers: { origin: 'https://najwa.example', 'content-length': '2' } })).toBe(
      'unsupported_media_type',
    );
    expect(await codeOf({ headers: { origin: 'https://najwa.example', 'transfer-encoding': 'chunked' } })).toBe(
      'unsupported_media_type',
    );
  });

  test('may be a form where the operation accepts files', async () => {
    const headers = { ...OWN, 'content-type': 'multipart/form-data; boundary=x' };
    expect(await codeOf({ url: '/api/audio/upload?x=1', headers })).toBeUndefined();
    expect(await codeOf({ url: '/api/login', headers })).toBe('unsupported_media_type');
  });
});

test.each(['GET', 'HEAD', 'OPTIONS'])('%s is accepted from anywhere', async (method) => {
  expect(
    await codeOf({
      method,
      exchange: { operation: LOGIN },
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    }),
  ).toBeUndefined();
});

describe('concurrent requests', () => {
  test('are limited per network and in total, and release their slots', async () => {
    const policy = createConcurrencyPolicy({ requests: createConcurrencyLimit({ total: 3, perKey: 2 }) });
    const run = (network: string) => runPolicy(policy, from(network));
    const first = await run('192.0.2.1');
    await run('192.0.2.1');
    expect((await run('192.0.2.1')).error).toMatchObject({ code: 'too_many_requests', retryAfter: 2 });
    await run('198.51.100.1');
    expect((await run('203.0.113.1')).error).toMatchObject({ code: 'unavailable', retryAfter: 2 });

    first.response.emit('close');
    first.response.emit('close');
    expect((await run('192.0.2.1')).error).toBeUndefined();
    expect((await run('203.0.113.1')).error).toMatchObject({ code: 'unavailable' });
  });

  test.each([
    ['a line has twice as many as a network', 2, (index: number) => `2001:db8::${index}:0:0:0:1`],
    ['a site of IPv6 four times as many', 4, (index: number) => `2001:db8:0:${index}00::1`],
    ['a site of IPv4 eight times as many', 8, (index: number) => `192.0.2.${index}`],
  ])('%s', async (_name, share, addressOf) => {
    const policy = createConcurrencyPolicy({ requests: createConcurrencyLimit({ total: 1_000, perKey: 1 }) });
    const errors = [];
    for (let index = 1; index <= 9; index += 1) errors.push((await runPolicy(policy, from(addressOf(index)))).error);
    expect(errors.filter((error) => error === undefined)).toHaveLength(share);
  });

  test('a site has a quarter of all at most', async () => {
    const policy = createConcurrencyPolicy({ requests: createConcurrencyLimit({ total: 12, perKey: 1 }) });
    const errors = [];
    for (let host = 1; host <= 4; host += 1) errors.push((await runPolicy(policy, from(`192.0.2.${host}`))).error);
    expect(errors.filter((error) => error === undefined)).toHaveLength(3);
  });
});

describe('the operation of a request', () => {
  const policy = createOperationPolicy();

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
    const { error, exchange } = await runPolicy(policy, { method, url, exchange: { operation: LOGIN } });
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
  const policy = createBodySize();
  const codeFor = async (url: string, length: number) =>
    codeOfError(
      (await runPolicy(policy, { method: 'POST', url, headers: { 'content-length': String(length) } })).error,
    );

  test.each([
    ['/api/login', 64 * 1024],
    ['/api/logout', 64 * 1024],
    ['/api/messages', ROUTES.createMessage.body.maxBytes],
    ['/api/audio/upload', ROUTES.uploadVoiceMessage.body.maxBytes],
  ])('of %s may have %i bytes, and not one more', async (url, bytes) => {
    expect(await codeFor(url, bytes)).toBeUndefined();
    expect(await codeFor(url, bytes + 1)).toBe('payload_too_large');
  });
});

describe('roles', () => {
  const [visitor, user, admin] = [
    null,
    { userId: 7, isAdmin: false, sessionId: 's' },
    { userId: 8, isAdmin: true, sessionId: 't' },
  ];
  const presence = { note: jest.fn() };
  const policy = createRoles({ presence });

  // Threat model: gateway-16.
  test.each([
    ['GET', '/api/user', ['not_signed_in', undefined, undefined]],
    ['PATCH', '/api/users', ['not_signed_in', undefined, undefined]],
    ['GET', '/api/admin/audit', ['not_signed_in', 'not_allowed', undefined]],
    ['POST', '/api/messages', [undefined, undefined, undefined]],
  ])('of %s %s are visitor, user, admin: %j', async (method, url, codes) => {
    const runs = await Promise.all(
      [visitor, user, admin].map((session) => runPolicy(policy, { method, url, exchange: { session } })),
    );
    expect(runs.map(({ error }) => codeOfError(error))).toEqual(codes);
  });

  test.each([
    ['GET', '/api/user', undefined],
    ['POST', '/api/totp/confirm', undefined],
    ['POST', '/api/logout', undefined],
    ['GET', '/api/messages', 'totp_setup_required'],
    ['POST', '/api/messages', 'totp_setup_required'],
    ['GET', '/api/admin/audit', 'totp_setup_required'],
    ['PUT', '/api/users/password', 'totp_setup_required'],
  ])('let an administrator without the required second step make %s %s: %p', async (method, url, code) => {
    const session = { userId: 8, isAdmin: false, sessionId: 't', mustSetUpTotp: true };
    const { error } = await runPolicy(policy, { method, url, exchange: { session } });
    expect(codeOfError(error)).toBe(code);
  });

  test.each([
    ['GET', '/api/user', undefined],
    ['DELETE', '/api/account/deletion', undefined],
    ['POST', '/api/logout', undefined],
    ['GET', '/api/messages', 'account_leaving'],
    ['POST', '/api/messages', 'account_leaving'],
    ['PATCH', '/api/users', 'account_leaving'],
    ['PUT', '/api/users/password', 'account_leaving'],
  ])('let an account that is about to be deleted make %s %s: %p', async (method, url, code) => {
    const session = { userId: 8, isAdmin: false, sessionId: 't', isLeaving: true };
    const { error } = await runPolicy(policy, { method, url, exchange: { session } });
    expect(codeOfError(error)).toBe(code);
  });
});
