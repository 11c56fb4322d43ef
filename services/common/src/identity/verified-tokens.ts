import { LRUCache } from 'lru-cache';

export interface VerifiedToken<Claims> {
  claims: Claims;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

const MAX_TOKENS = 10_000;

/**
 * Remembers verified tokens by their bytes until they expire, because verifying a signature costs more than most
 * requests. Refused tokens are not remembered.
 * @param now in milliseconds since 1970
 * @returns a function that answers from memory, or verifies. The key must contain the whole token and everything else
 * that the result depends on, such as the audience.
 */
export function createTokenMemory<Claims>(
  now: () => number = Date.now,
): (key: string, verify: () => Promise<VerifiedToken<Claims>>) => Promise<Claims> {
  const known = new LRUCache<string, VerifiedToken<Claims>>({ max: MAX_TOKENS });
  /** A visitor's token comes once, so expired ones would stay until the bound is reached. */
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
