import ipaddr from 'ipaddr.js';

/**
 * The key by which limits and identities count a client's address: an IPv4 address as a whole, an IPv6 address by its /64,
 * because providers hand each household at least a /64. An IPv4-mapped IPv6 address counts as IPv4.
 * @param address as the gateway read it
 * @returns for example `192.0.2.7` or `2001:db8:1:2::/64`; text that is no address comes back as it is
 */
export const clientNetwork = (address: string): string => networkOf(address, { ipv4: 32, ipv6: 64 });

/**
 * The wider network of an address: its /24 in IPv4, its /48 in IPv6, which is what one site usually has. For limits that
 * several addresses of one owner must not use up for everybody else.
 * @param address as the gateway read it
 * @returns for example `192.0.2.0/24` or `2001:db8:1::/48`; text that is no address comes back as it is
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

/** `fe80::1%eth0` is the address `fe80::1` on one of the machine's own interfaces. */
const withoutZone = (address: ipaddr.IPv4 | ipaddr.IPv6): string => address.toString().replace(/%.*$/, '');
