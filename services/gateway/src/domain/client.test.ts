import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { createClientReader } from './client.js';

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers: { host: 'najwa.example', ...headers } }) as unknown as IncomingMessage;

describe('without a trusted proxy', () => {
  const read = createClientReader([]);

  test('the connection says who it is, and headers say nothing', () => {
    const forged = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    expect(read(request('198.51.100.7', forged))).toEqual({
      address: '198.51.100.7',
      host: 'najwa.example',
      protocol: 'http',
    });
  });

  test('an IPv4 address stays one on a socket for both', () => {
    expect(read(request('::ffff:198.51.100.7')).address).toBe('198.51.100.7');
  });
});

describe('behind trusted proxies', () => {
  const read = createClientReader(['10.0.0.0/8', '2001:db8::1']);

  test('each proxy vouches for the one before it', () => {
    expect(read(request('10.0.0.2', { 'x-forwarded-for': '203.0.113.9, 10.1.1.1' })).address).toBe('203.0.113.9');
  });

  test('what stands before the first address that is not trusted is not believed', () => {
    expect(read(request('10.0.0.2', { 'x-forwarded-for': '192.0.2.66, 203.0.113.9' })).address).toBe('203.0.113.9');
  });

  test('what is no address ends the walk', () => {
    expect(read(request('10.0.0.2', { 'x-forwarded-for': '203.0.113.9, unknown' })).address).toBe('10.0.0.2');
    expect(read(request('10.0.0.2')).address).toBe('10.0.0.2');
  });

  test('host and protocol are the ones that the proxy saw', () => {
    const told = { 'x-forwarded-host': 'www.najwa.example', 'x-forwarded-proto': 'https' };
    expect(read(request('2001:db8::1', told))).toEqual({
      address: '2001:db8::1',
      host: 'www.najwa.example',
      protocol: 'https',
    });
  });

  test('somebody else cannot tell them', () => {
    expect(read(request('192.0.2.1', { 'x-forwarded-for': '203.0.113.9' })).address).toBe('192.0.2.1');
  });
});
