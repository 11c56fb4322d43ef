import { generateKeyPairSync } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import {
  createIdentitySigner,
  createIdentityVerifier,
  type Identity,
  type IdentitySigner,
} from '@najwa/common/identity';
import { createLogger } from '@najwa/common/logging';
import { describe, expect, jest, test } from '@jest/globals';
import { ORIGIN, runPolicy, type PolicyRequest } from '../../tests/support/policy.js';
import type { Session } from '../clients/auth.js';
import type { Exchange } from '../exchange.js';
import { OLD_SESSIONS_END } from '../domain/headers.js';
import { matchOperation } from '../domain/operations.js';
import { createIdentityPolicy, createSessionPolicy, createTokenSource, createVisitorPolicy } from './identity.js';

const TOKEN = 'a'.repeat(43);
const SESSION: Session = { userId: 7, isAdmin: true, sessionId: 's' };
const logger = createLogger({ service: 'test', level: 'silent' });
const withFind = (find: (token: string) => Promise<Session | null>) =>
  createSessionPolicy({ sessions: { find }, logger });

test('resolves the session of the cookie', async () => {
  const { error, exchange } = await runPolicy(
    withFind(() => Promise.resolve(SESSION)),
    { headers: { cookie: `x=1; __Host-najwa_session=${TOKEN}` } },
  );
  expect(error).toBeUndefined();
  expect(exchange.session).toEqual(SESSION);
});

test('a caller whose session has ended is a visitor', async () => {
  const { error, exchange } = await runPolicy(
    withFind(() => Promise.resolve(null)),
    { headers: { cookie: `__Host-najwa_session=${TOKEN}` } },
  );
  expect([error, exchange.session]).toEqual([undefined, null]);
});

test.each([
  '',
  'other=1',
  '__Host-najwa_session=',
  '__Host-najwa_session=short',
  `__Host-najwa_session=${'a'.repeat(42)}`,
  `__Host-najwa_session=${'a'.repeat(44)}`,
  `__Host-najwa_session=${'a'.repeat(8000)}`,
  '__Host-najwa_session=<script>alert(1)</script>',
])('does not ask auth about %p', async (cookie) => {
  const find = jest.fn(() => Promise.resolve(SESSION));
  const { error, exchange } = await runPolicy(withFind(find), { headers: { cookie } });
  expect([error, exchange.session]).toEqual([undefined, null]);
  expect(find).not.toHaveBeenCalled();
});

test('replaces the cookie of a session from before the prefix', async () => {
  jest.useFakeTimers({ now: OLD_SESSIONS_END - 1, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
  try {
    const policy = withFind((token) => Promise.resolve(token === TOKEN ? SESSION : null));
    const { exchange, response } = await runPolicy(policy, { headers: { cookie: `najwa_session=${TOKEN}` } });
    expect(exchange.session).toEqual(SESSION);
    expect(response.getHeader('set-cookie')).toEqual([
      `__Host-najwa_session=${TOKEN}; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax; Secure`,
      'najwa_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
    const unknown = await runPolicy(policy, { headers: { cookie: `najwa_session=${'b'.repeat(43)}` } });
    expect(unknown.response.getHeader('set-cookie')).toBeUndefined();
  } finally {
    jest.useRealTimers();
  }
});

test('refuses callers with a session while auth cannot be reached', async () => {
  const { error } = await runPolicy(
    withFind(() => Promise.reject(new Error('away'))),
    { headers: { cookie: `__Host-najwa_session=${TOKEN}` } },
  );
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'unavailable', retryAfter: 2 });
});

const visitorPolicy = createIdentityPolicy({
  sessions: { find: () => Promise.resolve(null) },
  presence: { note: () => undefined },
  sign: () => Promise.resolve('token'),
  logger,
});
const asVisitor = (policyRequest: PolicyRequest = {}) => {
  const operation = matchOperation('POST', '/api/messages')?.operation;
  const exchange = { upstream: 'messages' as const, ...(operation && { operation }), ...policyRequest.exchange };
  return runPolicy(visitorPolicy, { ...policyRequest, exchange });
};
const VISITOR = '__Host-najwa_visitor=AAAAAAAAAAAAAAAAAAAAAA';
const setCookie = (response: { getHeader(name: string): unknown }) => response.getHeader('set-cookie');

describe('a visitor with the cookie', () => {
  test('a visitor with the cookie is the same at every address, and the id does not reveal the cookie', async () => {
    const one = await asVisitor({ headers: { cookie: `a=b; ${VISITOR}` } });
    const two = await asVisitor({ method: 'POST', headers: { cookie: VISITOR, 'user-agent': 'other' } });
    expect(one.exchange.visitorId).toMatch(/^[\w-]{22}$/);
    expect(two.exchange.visitorId).toBe(one.exchange.visitorId);
    expect(VISITOR).not.toContain(one.exchange.visitorId);
    expect(setCookie(one.response)).toBeUndefined();
  });
});

describe('a visitor without the cookie', () => {
  test('a visitor without the cookie gets it with a GET, and is recognised by it afterwards', async () => {
    const first = await asVisitor();
    const cookie = String(setCookie(first.response));
    expect(cookie).toMatch(
      /^__Host-najwa_visitor=[\w-]{22}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const next = await asVisitor({ headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(next.exchange.visitorId).toBe(first.exchange.visitorId);
  });

  test('a visitor without the cookie gets it without Secure on the loopback', async () => {
    const { response } = await asVisitor({
      exchange: { origin: { ...ORIGIN, host: 'localhost:8080', protocol: 'http' } },
    });
    expect(String(setCookie(response))).toMatch(/^najwa_visitor=/);
    expect(String(setCookie(response))).not.toContain('Secure');
  });

  test.each([
    ['HEAD', {}],
    ['POST', {}],
    ['GET', { 'sec-fetch-dest': 'image' }],
    ['GET', { 'sec-fetch-dest': 'script' }],
  ] as const)('does not get it with a %s %j', async (method, headers) => {
    expect(setCookie((await asVisitor({ method, headers })).response)).toBeUndefined();
  });

  test('a visitor without the cookie does not get it with a page', async () => {
    expect(setCookie((await runPolicy(createVisitorPolicy())).response)).toBeUndefined();
  });

  test('a visitor without the cookie has the same id when it repeats a submission', async () => {
    const submission = { method: 'POST', headers: { 'user-agent': 'browser' } };
    const [one, two, other] = [
      await runPolicy(visitorPolicy, submission),
      await runPolicy(visitorPolicy, submission),
      await asVisitor({ method: 'POST', headers: { 'user-agent': 'another' } }),
    ];
    expect(two.exchange.visitorId).toBe(one.exchange.visitorId);
    expect(other.exchange.visitorId).not.toBe(one.exchange.visitorId);
  });

  test('a visitor is not recognised by a malformed cookie', async () => {
    const { exchange } = await asVisitor({
      method: 'POST',
      headers: { cookie: '__Host-najwa_visitor=short' },
    });
    expect(exchange.visitorId).toBe((await asVisitor({ method: 'POST' })).exchange.visitorId);
  });

  test('a visitor without the cookie counts by its network in IPv6', async () => {
    const idAt = async (network: string, address: string) =>
      (await asVisitor({ method: 'POST', exchange: { origin: { ...ORIGIN, network, address } } })).exchange.visitorId;
    expect(await idAt('2001:db8::/64', '2001:db8::1')).toBe(await idAt('2001:db8::/64', '2001:db8::2'));
    expect(await idAt('2001:db8::/64', '2001:db8::1')).not.toBe(await idAt('2001:db9::/64', '2001:db9::1'));
  });
});

const keys = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** An admitted API call, with a session that auth knows. */
async function call(
  method: string,
  url: string,
  {
    session,
    upstream = 'messages',
    sign = () => Promise.resolve('token'),
  }: {
    session: Session | null;
    upstream?: Exchange['upstream'];
    sign?: IdentitySigner['sign'];
  },
) {
  const policy = createIdentityPolicy({ sessions: { find: () => Promise.resolve(session) }, presence, sign, logger });
  const operation = matchOperation(method, url)?.operation;
  const headers = session === null ? { cookie: VISITOR } : { cookie: `${VISITOR}; __Host-najwa_session=${TOKEN}` };
  return runPolicy(policy, { method, url, headers, exchange: { upstream, ...(operation && { operation }) } });
}
const presence = { note: jest.fn() };

// Threat model: http-2.
test('signs the identity of the caller so that the called service can verify it, and no other', async () => {
  const sign = createTokenSource(createIdentitySigner(keys.privateKey));
  const verifier = createIdentityVerifier(keys.publicKey, 'messages');
  const visitor = await call('POST', '/api/messages', { session: null, sign });
  const { visitorId } = visitor.exchange;
  expect(await verifier.verify(visitor.exchange.identityToken)).toEqual({ user: null, visitorId, ip: '192.0.2.1' });
  const user = await call('POST', '/api/messages', { session: SESSION, sign });
  expect(await verifier.verify(user.exchange.identityToken)).toEqual({
    user: { id: 7, isAdmin: true, sessionId: 's' },
    visitorId,
    ip: '192.0.2.1',
  });
  const other = createIdentityVerifier(keys.publicKey, 'auth');
  await expect(other.verify(user.exchange.identityToken)).rejects.toMatchObject({ code: 'not_signed_in' });
});

test('reuses the token of an identity and signs a new one for another, and for another service', async () => {
  const sign = jest.fn((identity: Identity, service: string) =>
    Promise.resolve(`token of ${identity.visitorId} ${identity.user?.sessionId} for ${service}`),
  );
  const tokenOf = createTokenSource({ sign });
  const visitor: Identity = { user: null, visitorId: 'v', ip: '192.0.2.1' };
  await Promise.all(Array.from({ length: 20 }, () => tokenOf(visitor, 'auth')));
  expect(sign).toHaveBeenCalledTimes(1);
  const user = { id: 7, isAdmin: false, sessionId: 's' };
  expect(await tokenOf({ ...visitor, user }, 'auth')).toBe('token of v s for auth');
  expect(await tokenOf({ ...visitor, visitorId: 'w' }, 'auth')).toBe('token of w undefined for auth');
  expect(await tokenOf(visitor, 'media')).toBe('token of v undefined for media');
});

test('signs a new token when the clock was set, so that none is sent that has expired by the new time', async () => {
  const sign = jest.fn((_identity: Identity, _service: string) => Promise.resolve('token'));
  const tokenOf = createTokenSource({ sign });
  const visitor: Identity = { user: null, visitorId: 'v', ip: '192.0.2.1' };
  const behind = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  await tokenOf(visitor, 'auth');
  behind.mockRestore();
  await tokenOf(visitor, 'auth');
  expect(sign).toHaveBeenCalledTimes(2);
});

describe('roles', () => {
  const [visitor, user, admin] = [
    null,
    { userId: 7, isAdmin: false, sessionId: 's' },
    { userId: 8, isAdmin: true, sessionId: 't' },
  ];
  const codeOf = async (method: string, url: string, session: Session | null) =>
    ((await call(method, url, { session })).error as AppError | undefined)?.code;

  // Threat model: gateway-16.
  test.each([
    ['GET', '/api/user', ['not_signed_in', undefined, undefined]],
    ['PATCH', '/api/users', ['not_signed_in', undefined, undefined]],
    ['GET', '/api/admin/audit', ['not_signed_in', 'not_allowed', undefined]],
    ['POST', '/api/messages', [undefined, undefined, undefined]],
  ])('roles of %s %s are visitor, user, admin: %j', async (method, url, codes) => {
    const found = await Promise.all([visitor, user, admin].map((session) => codeOf(method, url, session)));
    expect(found).toEqual(codes);
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
    expect(await codeOf(method, url, session)).toBe(code);
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
    expect(await codeOf(method, url, session)).toBe(code);
  });
});
