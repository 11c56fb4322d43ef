import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { clientScopes, type ClientScope } from '@najwa/common/limits';
import { LRUCache } from 'lru-cache';
import type { ClientAddress } from './tracking.js';

export interface RequestOrigin extends ClientAddress {
  host: string;
  protocol: 'http' | 'https';
}

interface Peer {
  address: string;
  scopes: readonly ClientScope[];
  isTrusted: boolean;
  origin?: RequestOrigin;
}

const MAX_CLIENTS = 10_000;

const MAPPED_IPV4_PREFIX = '::ffff:';

const unmapped = (address: string): string =>
  address.startsWith(MAPPED_IPV4_PREFIX) && address.includes('.') ? address.slice(MAPPED_IPV4_PREFIX.length) : address;

const countedBy = (address: string, scopes: readonly ClientScope[]): ClientAddress => ({
  address,
  network: scopes[0]?.key ?? address,
  scopes,
});

const firstOf = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();

/**
 * Trusts forwarding headers of trusted proxies only: the last address in X-Forwarded-For that is not theirs.
 * @param trusted addresses and CIDR ranges
 * @param standInFor what stands for an address, if it is not to be kept
 */
export function createOriginReader(
  trusted: readonly string[],
  standInFor?: (address: string) => ClientAddress,
): (request: IncomingMessage) => RequestOrigin {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string): boolean =>
    trusted.length > 0 && proxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

  // A proxy's connection carries many clients.
  const byAddress = new LRUCache<string, readonly ClientScope[]>({ max: MAX_CLIENTS });
  const scopesOf = (address: string): readonly ClientScope[] => {
    const scopes = byAddress.get(address) ?? clientScopes(address);
    byAddress.set(address, scopes);
    return scopes;
  };

  const clientOf = ({ address, scopes }: Pick<Peer, 'address' | 'scopes'>): ClientAddress =>
    standInFor?.(address) ?? countedBy(address, scopes);

  const peers = new WeakMap<Socket, Peer>();
  const peerOf = (socket: Socket): Peer => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const address = unmapped(socket.remoteAddress ?? '');
    const peer: Peer = { address, scopes: clientScopes(address), isTrusted: isTrusted(address) };
    peers.set(socket, peer);
    return peer;
  };

  return ({ headers, socket }) => {
    const peer = peerOf(socket);
    const host = headers.host ?? '';
    if (!peer.isTrusted) {
      if (peer.origin?.host === host) return peer.origin;
      return (peer.origin = { ...clientOf(peer), host, protocol: 'http' });
    }

    const hops = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => unmapped(hop.trim()));
    let { address } = peer;
    for (let hop = hops.pop(); hop !== undefined && isIP(hop) !== 0; hop = hops.pop()) {
      address = hop;
      if (!isTrusted(address)) break;
    }
    return {
      ...clientOf({ address, scopes: scopesOf(address) }),
      host: firstOf(headers['x-forwarded-host']) ?? host,
      protocol: firstOf(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http',
    };
  };
}
