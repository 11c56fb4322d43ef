import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * The key by which limits and identities count a client's address: an IPv4 address as a whole, an IPv6 address by its /64,
 * because providers hand each household at least a /64. An IPv4-mapped IPv6 address counts as IPv4.
 * @param address as the gateway read it
 * @returns for example `192.0.2.7` or `2001:db8:1:2::/64`; text that is no address comes back as it is
 */
export function clientNetwork(address: string): string {
  const parsed = parse(address);
  if (parsed === undefined) return address;
  return parsed.kind() === 'ipv4' ? parsed.toString() : networkOf(parsed, 64);
}

/**
 * The network around a client that one party can often use as a whole: the /24 of an IPv4 address, the /48 of an IPv6 address.
 * A limit on what belongs to somebody else, such as logins to an account, gives each of these networks only a share.
 * @param address as the gateway read it
 * @returns for example `192.0.2.0/24` or `2001:db8:1::/48`; text that is no address comes back as it is
 */
export function widerNetwork(address: string): string {
  const parsed = parse(address);
  return parsed === undefined ? address : networkOf(parsed, parsed.kind() === 'ipv4' ? 24 : 48);
}

const parse = (address: string): Address | undefined => (ipaddr.isValid(address) ? ipaddr.process(address) : undefined);

function networkOf(address: Address, bits: number): string {
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(`${withoutZone(address)}/${bits}`).toString()}/${bits}`;
}

/** `fe80::1%eth0` is the address `fe80::1` on one of the machine's own interfaces. */
const withoutZone = (address: Address): string => address.toString().replace(/%.*$/, '');
