import { createHash, timingSafeEqual } from 'node:crypto';

export interface SharedSecret {
  /** Takes the same time for every offer, however close it is. */
  matches(offered: string): boolean;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createSharedSecret(secret: string): SharedSecret {
  const expected = digest(secret);
  return { matches: (offered) => timingSafeEqual(digest(offered), expected) };
}
