import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_BITS = 64;

/**
 * The key by which limits and identities count a client's address: an IPv4 address as a whole, an IPv6 address by its /64,
 * because providers hand each household at least a /64. An IPv4-mapped IPv6 address counts as IPv4.
 * @param address as the gateway read it
 * @returns for example `192.0.2.7` or `2001:db8:1:2::/64`; text that is no address comes back as it is
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed)}/${IPV6_NETWORK_BITS}`);
  return `${network.toString()}/${IPV6_NETWORK_BITS}`;
}

/** `fe80::1%eth0` is the address `fe80::1` on one of the machine's own interfaces. */
const withoutZone = (address: ipaddr.IPv4 | ipaddr.IPv6): string => address.toString().replace(/%.*$/, '');
