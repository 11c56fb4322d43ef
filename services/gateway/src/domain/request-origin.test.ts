import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { clientScopes } from '@najwa/common/limits';
import { createOriginReader } from './request-origin.js';
import { createStandIns } from './tracking.js';

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

describe.each(['coarse', 'off'] as const)('where addresses are not kept: %s', (mode) => {
  let day = Date.UTC(2026, 10, 30);
  const read = createOriginReader(
    ['10.0.0.2'],
    createStandIns(mode, 'secret', () => day),
  );
  const originOf = (address: string) => read(request('10.0.0.2', { 'x-forwarded-for': address }));

  // Threat model: admin-12.
  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:77:1::5', '2001:db8:77::/48'],
  ])('nothing behind the gateway learns %s', (address, prefix) => {
    expect(JSON.stringify({ ...originOf(address), kept: '' })).not.toMatch(/203\.0\.113|2001:db8/);
    expect(originOf(address).kept).toBe(mode === 'coarse' ? prefix : '');
  });

  test('networks, lines and sites stay together and apart, as limits count them', () => {
    const scopes = (address: string) => originOf(address).scopes.map(({ key }) => key);
    const [one = '', site] = scopes('203.0.113.7');
    expect(scopes('203.0.113.8')).toEqual([expect.not.stringMatching(`^${one}$`), site]);
    expect(scopes('203.0.112.7')[1]).not.toBe(site);
    const [network, line, wide] = scopes('2001:db8:1:2ff::1');
    expect(scopes('2001:db8:1:2ff::9')).toEqual([network, line, wide]);
    expect(scopes('2001:db8:1:201::1').slice(1)).toEqual([line, wide]);
    expect(scopes('2001:db8:1:300::1').slice(1)).toEqual([expect.not.stringMatching(`^${line}$`), wide]);
    expect(originOf('2001:db8:1:2ff::1').network).toBe(originOf('2001:db8:1:2ff::9').network);
    expect(originOf('203.0.113.7').network).not.toBe(originOf('203.0.113.8').network);
    expect(originOf('203.0.113.7').network).toMatch(/^[\w-]{43}$/);
  });

  test('an address is another one on the next day, and under another secret', () => {
    const { address } = originOf('203.0.113.7');
    expect(originOf('203.0.113.7').address).toBe(address);
    const other = createOriginReader(
      ['10.0.0.2'],
      createStandIns(mode, 'other', () => day),
    );
    expect(other(request('10.0.0.2', { 'x-forwarded-for': '203.0.113.7' })).address).not.toBe(address);
    day += 24 * 60 * 60 * 1000;
    expect(originOf('203.0.113.7').address).not.toBe(address);
  });
});
