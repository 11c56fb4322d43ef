import ipaddr from 'ipaddr.js';

/**
 * Network of a client, as used by limits and identities: the whole IPv4 address, or the /64 of an IPv6 address, because
 * providers assign each household at least a /64. An IPv4-mapped IPv6 address counts as IPv4.
 * @param address as read by the gateway
 * @returns for example `192.0.2.7` or `2001:db8:1:2::/64`; invalid addresses are returned unchanged
 */
export const clientNetwork = (address: string): string => networkOf(address, { ipv4: 32, ipv6: 64 });

/**
 * Site of a client: the /24 of an IPv4 address or the /48 of an IPv6 address. Used by limits that one owner of several
 * addresses must not exhaust for others.
 * @param address as read by the gateway
 * @returns for example `192.0.2.0/24` or `2001:db8:1::/48`; invalid addresses are returned unchanged
 */
export const clientSite = (address: string): string => networkOf(address, { ipv4: 24, ipv6: 48 });

function networkOf(address: string, bits: { ipv4: number; ipv6: number }): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv6')
    return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed)}/${bits.ipv6}`).toString()}/${bits.ipv6}`;
  if (bits.ipv4 === 32) return parsed.toString();
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${bits.ipv4}`).toString()}/${bits.ipv4}`;
}

/** Strips the zone: `fe80::1%eth0` is the address `fe80::1` on a network interface. */
const withoutZone = (address: ipaddr.IPv4 | ipaddr.IPv6): string => address.toString().replace(/%.*$/, '');
