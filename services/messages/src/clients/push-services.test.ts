import { describe, expect, test } from '@jest/globals';
import { isPublicAddress, publicLookup } from './push-services.js';

describe('addresses of push services', () => {
  test.each(['142.250.185.74', '34.107.243.93', '2a00:1450:4001:829::200a', '2600:1901:0:524c::'])(
    'may be %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fc00::1',
    'fe80::1',
    '2001:db8::1',
    '2002:a00:1::',
    'name',
  ])('may not be %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([{ all: true }, { all: false }])(
    'of a name are refused for the connection itself (%j)',
    async (options) => {
      const resolved = new Promise((resolve) => publicLookup('localhost', options, resolve));
      await expect(resolved).resolves.toHaveProperty('message', 'The name leads to an address that is not public.');
    },
  );
});
