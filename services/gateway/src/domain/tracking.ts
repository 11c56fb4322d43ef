import { createHmac } from 'node:crypto';
import { coarseAddress } from '@najwa/common';
import { clientNetwork, clientScopes, standInFor, type ClientScope } from '@najwa/common/limits';
import type { TrackingMode } from '@najwa/common/retention';
import { LRUCache } from 'lru-cache';

export interface ClientAddress {
  /** The browser's address, or what stands for it. Only the identity token carries it; every key uses `network`. */
  address: string;
  /** The address as limits count it: IPv4 as it is, IPv6 by its /64. */
  network: string;
  /** What bounds count it by: its network, and what that belongs to. */
  scopes: readonly ClientScope[];
  /** The part of the address that may be stored, if not all of it. */
  kept?: string;
}

const MAX_CLIENTS = 10_000;

/**
 * Replaces addresses that may not be kept whole (TRACKING). All gateways draw the same for a day, so limits, blocks and
 * visits still work.
 * @param secret of all gateways
 */
export function createStandIns(
  mode: Exclude<TrackingMode, 'full'>,
  secret: string,
  now = Date.now,
): (address: string) => ClientAddress {
  const known = new LRUCache<string, ClientAddress>({ max: MAX_CLIENTS });
  return (address) => {
    const day = new Date(now()).toISOString().slice(0, 10);
    const key = `${day} ${address}`;
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    const draw = (text: string): Buffer => createHmac('sha256', secret).update(`stand-in ${day} ${text}`).digest();
    const standIn = standInFor(address, draw);
    const drawn = {
      address: standIn,
      // Longer than an address: visitors' names are hashes of it, and must not be guessed.
      network: draw(clientNetwork(address)).toString('base64url'),
      scopes: clientScopes(standIn),
      kept: mode === 'coarse' ? coarseAddress(address) : '',
    };
    known.set(key, drawn);
    return drawn;
  };
}
