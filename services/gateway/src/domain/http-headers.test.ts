import { expect, test } from '@jest/globals';
import { headersForClient, headersForService } from './http-headers.js';

test('a service hears what a request is about, and nothing that the client says of itself', () => {
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

test('a client gets the answer, and nothing about the connection behind us', () => {
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
