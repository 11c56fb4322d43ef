import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The browser's side of a request, as far as proxies that we trust let us see. */
export interface Client {
  address: string;
  /** As the browser named the site, with the port if it is not the usual one. */
  host: string;
  protocol: 'http' | 'https';
}

const V4_IN_V6 = '::ffff:';

const plain = (address: string): string =>
  address.startsWith(V4_IN_V6) && address.includes('.') ? address.slice(V4_IN_V6.length) : address;

const first = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();

/**
 * Finds out where a request comes from. Headers count only when they come from a trusted proxy, and each trusted proxy
 * vouches for the one before it.
 * @param trusted addresses and CIDR ranges
 */
export function createClientReader(trusted: readonly string[]): (request: IncomingMessage) => Client {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string): boolean =>
    trusted.length > 0 && proxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

  return ({ headers, socket }) => {
    const peer = plain(socket.remoteAddress ?? '');
    const host = headers.host ?? '';
    if (!isTrusted(peer)) return { address: peer, host, protocol: 'http' };

    const hops = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => plain(hop.trim()));
    let address = peer;
    for (let hop = hops.pop(); hop !== undefined && isIP(hop) !== 0; hop = hops.pop()) {
      address = hop;
      if (!isTrusted(address)) break;
    }
    return {
      address,
      host: first(headers['x-forwarded-host']) ?? host,
      protocol: first(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http',
    };
  };
}
