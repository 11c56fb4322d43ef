import { createHash, timingSafeEqual } from 'node:crypto';

export interface SharedSecret {
  /** Compares in constant time. */
  matches(offered: string): boolean;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createSharedSecret(secret: string): SharedSecret {
  const expected = digest(secret);
  return { matches: (offered) => timingSafeEqual(digest(offered), expected) };
}
