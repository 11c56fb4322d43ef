import { LRUCache } from 'lru-cache';

/** Counts bytes of a body. @returns milliseconds until the next of the same body may be read */
export type Pace = (bytes: number) => number;

/** @returns the pace of a network, which all of its bodies share */
export type NetworkPaces = (network: string) => Pace;

export interface NetworkPacesOptions {
  /** Infinity for none. */
  bytesPerSecond: number;
  now?: () => number;
}

/** A bound on memory, as for the other limits of networks. */
const MAX_NETWORKS = 100_000;

/**
 * Spreads what each network uploads over time, also what is thrown away. Without it, some sixty bodies of one network
 * take all processor time of the gateway and of the services that read them, for a second or more.
 */
export function createNetworkPaces({
  bytesPerSecond,
  now = () => performance.now(),
}: NetworkPacesOptions): NetworkPaces {
  const freeAt = new LRUCache<string, number>({ max: MAX_NETWORKS });
  return (network) => (bytes) => {
    const at = now();
    const until = Math.max(at, freeAt.get(network) ?? at) + (bytes / bytesPerSecond) * 1_000;
    freeAt.set(network, until);
    return until - at;
  };
}
