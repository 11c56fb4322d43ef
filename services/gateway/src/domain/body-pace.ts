import { LRUCache } from 'lru-cache';

/** @returns milliseconds until the next read */
export type Pace = (bytes: number) => number;

export type NetworkPaces = (network: string) => Pace;

export interface NetworkPacesOptions {
  bytesPerSecond: number;
  now?: () => number;
}

const MAX_NETWORKS = 100_000;

/**
 * Throttles uploads per network, discarded bytes included: otherwise about sixty bodies take all processor time for a
 * second.
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
