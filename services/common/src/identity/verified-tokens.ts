import { LRUCache } from 'lru-cache';

export interface VerifiedToken<Claims> {
  claims: Claims;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const MAX_TOKENS = 10_000;

/**
 * Caches verified tokens until they expire: a signature costs more than most requests. Refused ones are not cached.
 * @returns verifies or answers from memory; its key must hold the whole token and all else that matters, such as the
 * audience
 */
export function createTokenMemory<Claims>(
  now: () => number = Date.now,
): (key: string, verify: () => Promise<VerifiedToken<Claims>>) => Promise<Claims> {
  const known = new LRUCache<string, VerifiedToken<Claims>>({ max: MAX_TOKENS });
  /** A visitor's token comes once, so expired ones would fill the cache. */
  const dropExpired = (): void => {
    for (const key of known.rkeys()) {
      if (now() < (known.peek(key)?.expiresAt ?? 0)) return;
      known.delete(key);
    }
  };
  return async (key, verify) => {
    const remembered = known.get(key);
    if (remembered && now() < remembered.expiresAt) return remembered.claims;
    dropExpired();
    const verified = await verify();
    known.set(key, verified);
    return verified.claims;
  };
}
