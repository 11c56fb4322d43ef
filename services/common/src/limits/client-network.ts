import ipaddr from 'ipaddr.js';

export interface ClientScope {
  /** Such as `192.0.2.7` or `2001:db8:1:2::/64`. An invalid address is its own scope. */
  key: string;
  /** Multiple of a network's limit. */
  share: number;
}

/**
 * Narrow to wide. Providers assign a household at least a /64, often a /56; tunnels and companies have a /48. An IPv4
 * /24 has one owner or a hundred households, hence the larger share.
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

export const WIDE_SHARES: readonly number[] = [
  ...new Set([...SCOPES.ipv4, ...SCOPES.ipv6].map(({ share }) => share).filter((share) => share > 1)),
];

/**
 * Network, line and site.
 * @param address as read by the gateway; IPv4-mapped IPv6 counts as IPv4
 */
export function clientScopes(address: string): readonly ClientScope[] {
  const parsed = parse(address);
  if (parsed === undefined) return [{ key: address, share: 1 }];
  return SCOPES[parsed.kind()].map(({ bits, share }) => ({ key: prefixOf(parsed, bits), share }));
}

/** The IPv4 address, or the /64 of IPv6. */
export const clientNetwork = (address: string): string => {
  const parsed = parse(address);
  return parsed === undefined ? address : prefixOf(parsed, SCOPES[parsed.kind()][0].bits);
};

/** The IPv4 /24, or the IPv6 /48. One owner of it must not use up what others share. */
export const clientSite = (address: string): string => widestOf(clientScopes(address));

export const widestOf = (scopes: readonly ClientScope[]): string => scopes.at(-1)?.key ?? '';

/**
 * An address in place of another one. Addresses of one network, line or site stay together.
 * @param draw bytes for a site, which lead back to it with a secret alone
 */
export function standInFor(address: string, draw: (site: string) => Buffer): string {
  const drawn = draw(clientSite(address));
  const parsed = parse(address);
  if (parsed === undefined) return drawn.toString('base64url');
  const [siteBytes, networkBytes] = parsed.kind() === 'ipv4' ? [3, 4] : [6, 8];
  const bytes = parsed.toByteArray().map((byte, index) => {
    const mask = drawn[index] ?? 0;
    if (index < siteBytes) return mask;
    return index < networkBytes ? byte ^ mask : 0;
  });
  return ipaddr.fromByteArray(bytes).toString();
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const parse = (address: string): Address | undefined => (ipaddr.isValid(address) ? ipaddr.process(address) : undefined);

function prefixOf(address: Address, bits: number): string {
  const text = withoutZone(address);
  if (address.kind() === 'ipv6') return `${ipaddr.IPv6.networkAddressFromCIDR(`${text}/${bits}`).toString()}/${bits}`;
  if (bits === 32) return text;
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${text}/${bits}`).toString()}/${bits}`;
}

/** `fe80::1%eth0` → `fe80::1` */
const withoutZone = (address: Address): string => address.toString().replace(/%.*$/, '');
