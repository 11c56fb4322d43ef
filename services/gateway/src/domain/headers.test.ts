import { expect, test } from '@jest/globals';
import { headersForClient, headersForService, readCookie, readSessionToken, readVisitorCookie } from './headers.js';

test('services get request headers but none that claim an identity', () => {
  const headers = headersForService({
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
  });
  expect(Object.keys(headers).sort()).toEqual([
    'accept',
    'accept-language',
    'content-type',
    'idempotency-key',
    'referer',
    'user-agent',
  ]);
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

test('reads our cookies only in the format in which they are set', () => {
  const [visitor, session] = ['v'.repeat(22), 's'.repeat(43)];
  expect(readVisitorCookie(`najwa_visitor=${visitor}`)).toBe(visitor);
  expect(readSessionToken(`x=1; najwa_session=${session}`, 'najwa_session')).toBe(session);
  for (const value of ['', 'short', 'v'.repeat(23), 'v'.repeat(8000), `${'v'.repeat(21)}<`])
    expect(readVisitorCookie(`najwa_visitor=${value}`)).toBeUndefined();
  for (const value of ['', 's'.repeat(42), 's'.repeat(44), 's'.repeat(8000), `${'s'.repeat(42)}.`])
    expect(readSessionToken(`najwa_session=${value}`, 'najwa_session')).toBeUndefined();
});
