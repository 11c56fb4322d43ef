import { expect, test } from '@jest/globals';
import { clientNetwork, clientScopes, clientSite } from './client-network.js';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['::1', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['', ''],
  ['unknown', 'unknown'],
])('%p belongs to the network %p', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
  ['fe80::1%eth0', 'fe80::/48'],
  ['unknown', 'unknown'],
])('%p belongs to the site %p', (address, site) => {
  expect(clientSite(address)).toBe(site);
});

test.each([
  ['192.0.2.7', ['192.0.2.7 1', '192.0.2.0/24 8']],
  ['::ffff:192.0.2.7', ['192.0.2.7 1', '192.0.2.0/24 8']],
  ['2001:db8:1:2ff:3:4:5:6', ['2001:db8:1:2ff::/64 1', '2001:db8:1:200::/56 2', '2001:db8:1::/48 4']],
  ['unknown', ['unknown 1']],
])('%p counts in its network, its line and its site', (address, scopes) => {
  expect(clientScopes(address).map(({ key, share }) => `${key} ${share}`)).toEqual(scopes);
});
