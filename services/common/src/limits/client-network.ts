import ipaddr from 'ipaddr.js';

/** Clients that limits count together. */
export interface ClientScope {
  /** For example `192.0.2.7` or `2001:db8:1:2::/64`. Invalid addresses are their own scope. */
  key: string;
  /** How many times the bound of a network it has. */
  share: number;
}

/**
 * The scopes of a client, from narrow to wide. An IPv6 network is a /64, because providers assign each household at least
 * one; many assign a /56, and a tunnel or a company has a /48. A /24 of IPv4 belongs to whoever rented it, or to some
 * hundred households, and has a larger share.
 */
const SCOPES = {
  ipv4: [
    { bits: 32, share: 1 },
    { bits: 24, share: 8 },
  ],
  ipv6: [
    { bits: 64, share: 1 },
    { bits: 56, share: 2 },
    { bits: 48, share: 4 },
  ],
} as const;

/** Shares of all scopes but networks. */
export const WIDE_SHARES: readonly number[] = [
  ...new Set([...SCOPES.ipv4, ...SCOPES.ipv6].map(({ share }) => share).filter((share) => share > 1)),
];

/**
 * What limits count a client by: its network, the line that it is of, and its site.
 * @param address as read by the gateway. An IPv4-mapped IPv6 address counts as IPv4.
 */
export function clientScopes(address: string): readonly ClientScope[] {
  const parsed = parse(address);
  if (parsed === undefined) return [{ key: address, share: 1 }];
  return SCOPES[parsed.kind()].map(({ bits, share }) => ({ key: prefixOf(parsed, bits), share }));
}

/** Network of a client, as used by limits and identities: the whole IPv4 address, or the /64 of an IPv6 address. */
export const clientNetwork = (address: string): string => {
  const parsed = parse(address);
  return parsed === undefined ? address : prefixOf(parsed, SCOPES[parsed.kind()][0].bits);
};

/**
 * Site of a client: the /24 of an IPv4 address or the /48 of an IPv6 address. One owner may have all of it, who must not
 * use up what others share.
 */
export const clientSite = (address: string): string => widestOf(clientScopes(address));

/** Key of the widest scope of a client: its site. */
export const widestOf = (scopes: readonly ClientScope[]): string => scopes.at(-1)?.key ?? '';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const parse = (address: string): Address | undefined => (ipaddr.isValid(address) ? ipaddr.process(address) : undefined);

function prefixOf(address: Address, bits: number): string {
  const text = withoutZone(address);
  if (address.kind() === 'ipv6') return `${ipaddr.IPv6.networkAddressFromCIDR(`${text}/${bits}`).toString()}/${bits}`;
  if (bits === 32) return text;
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${text}/${bits}`).toString()}/${bits}`;
}

/** Strips the zone: `fe80::1%eth0` is the address `fe80::1` on a network interface. */
const withoutZone = (address: Address): string => address.toString().replace(/%.*$/, '');
