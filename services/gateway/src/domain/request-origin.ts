import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { clientNetwork } from '@najwa/common';

/** The origin of a request, as reported by trusted proxies. */
export interface RequestOrigin {
  /** The browser's address. Only the identity token carries it; every key uses `network`. */
  address: string;
  /** The address as limits count it: IPv4 as it is, IPv6 by its /64. */
  network: string;
  /** The site's name in the browser's request, with the port if it is not the default one. */
  host: string;
  protocol: 'http' | 'https';
}

/** The other end of a connection. */
interface Peer {
  address: string;
  network: string;
  isTrusted: boolean;
}

const MAPPED_IPV4_PREFIX = '::ffff:';

const unmapped = (address: string): string =>
  address.startsWith(MAPPED_IPV4_PREFIX) && address.includes('.') ? address.slice(MAPPED_IPV4_PREFIX.length) : address;

/** Skips the parser for IPv4, since this runs for every request. */
const networkOf = (address: string): string => (address.includes(':') ? clientNetwork(address) : address);

const firstOf = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();

/**
 * Reads the origin of a request. Forwarding headers count only if a trusted proxy sent them. The address is the last
 * one in X-Forwarded-For that is not a trusted proxy's.
 * @param trusted addresses and CIDR ranges
 */
export function createOriginReader(trusted: readonly string[]): (request: IncomingMessage) => RequestOrigin {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string): boolean =>
    trusted.length > 0 && proxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

  const peers = new WeakMap<Socket, Peer>();
  const peerOf = (socket: Socket): Peer => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const address = unmapped(socket.remoteAddress ?? '');
    const peer = { address, network: networkOf(address), isTrusted: isTrusted(address) };
    peers.set(socket, peer);
    return peer;
  };

  return ({ headers, socket }) => {
    const peer = peerOf(socket);
    const host = headers.host ?? '';
    if (!peer.isTrusted) return { address: peer.address, network: peer.network, host, protocol: 'http' };

    const hops = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => unmapped(hop.trim()));
    let { address } = peer;
    for (let hop = hops.pop(); hop !== undefined && isIP(hop) !== 0; hop = hops.pop()) {
      address = hop;
      if (!isTrusted(address)) break;
    }
    return {
      address,
      network: networkOf(address),
      host: firstOf(headers['x-forwarded-host']) ?? host,
      protocol: firstOf(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http',
    };
  };
}
