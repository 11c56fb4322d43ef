import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { clientScopes } from '@najwa/common/limits';
import { createOriginReader } from './request-origin.js';

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers: { host: 'najwa.example', ...headers } }) as unknown as IncomingMessage;

describe('without a trusted proxy', () => {
  const read = createOriginReader([]);

  // Threat model: gateway-1.
  test('takes the address of the connection and ignores headers', () => {
    const forged = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    expect(read(request('198.51.100.7', forged))).toEqual({
      address: '198.51.100.7',
      network: '198.51.100.7',
      scopes: clientScopes('198.51.100.7'),
      host: 'najwa.example',
      protocol: 'http',
    });
  });

  test('an IPv4-mapped address is an IPv4 address', () => {
    expect(read(request('::ffff:198.51.100.7')).address).toBe('198.51.100.7');
  });
});

describe('behind trusted proxies', () => {
  const read = createOriginReader(['10.0.0.0/8', '2001:db8::1']);

  test('takes the last address that is not a trusted proxy', () => {
    expect(read(request('10.0.0.2', { 'x-forwarded-for': '203.0.113.9, 10.1.1.1' })).address).toBe('203.0.113.9');
  });

  test('addresses before the first untrusted one are ignored', () => {
    expect(read(request('10.0.0.2', { 'x-forwarded-for': '192.0.2.66, 203.0.113.9' })).address).toBe('203.0.113.9');
  });

  test('text that is not an address is ignored, with everything before it', () => {
    expect(read(request('10.0.0.2', { 'x-forwarded-for': '203.0.113.9, unknown' })).address).toBe('10.0.0.2');
    expect(read(request('10.0.0.2')).address).toBe('10.0.0.2');
  });

  test('host and protocol are those that the proxy reports', () => {
    const reported = { 'x-forwarded-host': 'www.najwa.example', 'x-forwarded-proto': 'https' };
    expect(read(request('2001:db8::1', reported))).toEqual({
      address: '2001:db8::1',
      network: '2001:db8::/64',
      scopes: clientScopes('2001:db8::1'),
      host: 'www.najwa.example',
      protocol: 'https',
    });
  });

  test('addresses of one IPv6 network count as one', () => {
    const networkOf = (address: string) => read(request('10.0.0.2', { 'x-forwarded-for': address })).network;
    expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
    expect(networkOf('::ffff:203.0.113.9')).toBe(networkOf('203.0.113.9'));
  });

  test('ignores the header from an untrusted address', () => {
    expect(read(request('192.0.2.1', { 'x-forwarded-for': '203.0.113.9' })).address).toBe('192.0.2.1');
  });
});
