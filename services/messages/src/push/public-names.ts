import { Resolver, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { createSingleFlight } from '@najwa/common';
import { LRUCache } from 'lru-cache';

/** Special-purpose IPv4 ranges. */
const NOT_PUBLIC = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;
/** Tunnels and documentation ranges within 2000::/3. */
const NOT_PUBLIC_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const notPublic = new BlockList();
for (const [network, prefix] of NOT_PUBLIC) notPublic.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of NOT_PUBLIC_V6) notPublic.addSubnet(network, prefix, 'ipv6');
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');

export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !notPublic.check(address, 'ipv4');
  return isIP(address) === 6 && publicV6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
};

export class ForbiddenAddressError extends Error {}

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const MAX_NAMES = 2_000;
/** Also caches failures, so that a dead name server is not asked for each notice. */
const LEAST_SECONDS = 30;
const MOST_SECONDS = 300;

type Found = { addresses: LookupAddress[] } | { error: NodeJS.ErrnoException };

export interface PublicNamesOptions {
  /** As `127.0.0.1:53`. Defaults to the system's. */
  servers?: readonly string[];
  timeoutMs?: number;
}

/**
 * Connects to the checked addresses, which prevents DNS rebinding. Queries name servers directly: a few dead ones would
 * block the system resolver's four threads.
 */
export function createPublicLookup({ servers, timeoutMs = TIMEOUT_MS }: PublicNamesOptions = {}): LookupFunction {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const known = new LRUCache<string, Found>({ max: MAX_NAMES });
  const once = createSingleFlight<Found>();

  const ask = (hostname: string, family: 4 | 6) =>
    new Promise<{ records: { address: string; ttl: number }[]; error: NodeJS.ErrnoException | null }>((resolve) => {
      const answered = (error: NodeJS.ErrnoException | null, records: { address: string; ttl: number }[] = []): void =>
        resolve({ records, error });
      if (family === 4) resolver.resolve4(hostname, { ttl: true }, answered);
      else resolver.resolve6(hostname, { ttl: true }, answered);
    });

  const load = async (hostname: string): Promise<Found> => {
    const [v4, v6] = await Promise.all([ask(hostname, 4), ask(hostname, 6)]);
    const addresses = [
      ...v4.records.map(({ address }): LookupAddress => ({ address, family: 4 })),
      ...v6.records.map(({ address }): LookupAddress => ({ address, family: 6 })),
    ];
    const found: Found =
      addresses.length > 0 ? { addresses } : { error: v4.error ?? v6.error ?? new Error('The name has no address.') };
    const seconds = Math.min(MOST_SECONDS, ...[...v4.records, ...v6.records].map(({ ttl }) => ttl));
    known.set(hostname, found, { ttl: Math.max(LEAST_SECONDS, addresses.length > 0 ? seconds : 0) * 1000 });
    return found;
  };

  return ((hostname: string, options: LookupOptions, done: (...result: unknown[]) => void) => {
    const cached = known.get(hostname);
    const finding = cached ? Promise.resolve(cached) : once(hostname, () => load(hostname));
    void finding.then((found) => {
      if ('error' in found) return done(found.error);
      if (!found.addresses.every(({ address }) => isPublicAddress(address)))
        return done(new ForbiddenAddressError('The name leads to an address that is not public.'));
      const { family } = options;
      const wanted = found.addresses.filter((each) => !family || each.family === family);
      const [first] = wanted;
      if (first === undefined) return done(new Error('The name has no address of this family.'));
      return options.all ? done(null, wanted) : done(null, first.address, first.family);
    });
  }) as LookupFunction;
}
