import { expect, test } from '@jest/globals';
import {
  headersForClient,
  headersForService,
  readCookie,
  readSessionToken,
  readVisitorCookie,
  readOldSessionToken,
  OLD_SESSIONS_END,
} from './headers.js';

test('services get request headers but none that claim an identity', () => {
  const headers = headersForService(
    {
      accept: 'application/json',
      'accept-language': 'ar',
      'user-agent': 'browser',
      referer: 'https://najwa.example/m/layla',
      'idempotency-key': 'abc',
      'content-type': 'application/json',
      host: 'najwa.example',
      cookie: 'najwa_session=secret',
      expect: '100-continue',
      'content-length': '12',
      'x-najwa-identity': 'forged',
      'x-najwa-anything': 'forged',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=127.0.0.1',
      'x-real-ip': '127.0.0.1',
      'x-request-id': 'chosen',
      connection: 'keep-alive, X-Private',
      'x-private': 'for the next hop only',
      'transfer-encoding': 'chunked',
      upgrade: 'websocket',
    },
    'full',
  );
  expect(Object.keys(headers).sort()).toEqual([
    'accept',
    'accept-language',
    'content-type',
    'idempotency-key',
    'referer',
    'user-agent',
  ]);
});

// Threat model: admin-12.
test.each([
  ['coarse', { 'accept-language': 'ar', 'user-agent': 'mobile' }],
  ['off', { 'accept-language': 'ar' }],
] as const)('services get nothing of a device that they may not keep: %s', (tracking, passed) => {
  const headers = {
    'accept-language': 'ar',
    'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Mobile/15E148 Safari/604.1',
    referer: 'https://najwa.example/m/layla',
  };
  expect(headersForService(headers, tracking)).toEqual(passed);
});

test('clients get the answer without headers about the inner connection', () => {
  const headers = headersForClient({
    'content-type': 'text/plain',
    'set-cookie': ['a=1', 'b=2'],
    connection: 'keep-alive',
    'keep-alive': 'timeout=5',
    'transfer-encoding': 'chunked',
    'x-request-id': 'x',
  });
  expect(headers).toEqual({ 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] });
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['a=1', '1'],
  ['b=2; a=1', '1'],
  ['b=2;a=1 ;c=3', '1'],
  ['aa=2; b=a=3', undefined],
  ['a=1; a=2', '1'],
  ['a=', ''],
  ['a=x=y', 'x=y'],
])('in %p, the cookie named a is %p', (header, value) => expect(readCookie(header, 'a')).toBe(value));

const [visitor, session] = ['v'.repeat(22), 's'.repeat(43)];

test('reads our cookies only in the format in which they are set', () => {
  expect(readVisitorCookie(`najwa_visitor=${visitor}`, false)).toBe(visitor);
  expect(readSessionToken(`x=1; najwa_session=${session}`, false)).toBe(session);
  for (const value of ['', 'short', 'v'.repeat(23), 'v'.repeat(8000), `${'v'.repeat(21)}<`])
    expect(readVisitorCookie(`najwa_visitor=${value}`, false)).toBeUndefined();
  for (const value of ['', 's'.repeat(42), 's'.repeat(44), 's'.repeat(8000), `${'s'.repeat(42)}.`])
    expect(readSessionToken(`najwa_session=${value}`, false)).toBeUndefined();
});

// Threat model: gateway-17.
test('takes no cookie over TLS that a neighbouring subdomain may have planted', () => {
  expect(readVisitorCookie(`__Host-najwa_visitor=${visitor}`, true)).toBe(visitor);
  expect(readVisitorCookie(`najwa_visitor=${visitor}`, true)).toBeUndefined();
  const planted = `najwa_session=${'p'.repeat(43)}`;
  expect(readSessionToken(`${planted}; __Host-najwa_session=${session}`, true)).toBe(session);
  expect(readSessionToken(planted, true, OLD_SESSIONS_END)).toBeUndefined();
});

test('reads a session from before the prefix for a time, and only where no other is', () => {
  const old = `najwa_session=${session}`;
  const before = OLD_SESSIONS_END - 1;
  expect([readSessionToken(old, true, before), readOldSessionToken(old, true, before)]).toEqual([session, session]);
  expect(readOldSessionToken(`${old}; __Host-najwa_session=ended`, true, before)).toBeUndefined();
  expect(readOldSessionToken(old, false, before)).toBeUndefined();
});
