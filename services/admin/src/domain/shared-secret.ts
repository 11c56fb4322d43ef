import { createHash, timingSafeEqual } from 'node:crypto';

export interface SharedSecret {
  /** Constant time. */
  matches(offered: string): boolean;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @param secrets all accepted ones: two during a rotation */
export function createSharedSecret(secrets: readonly string[]): SharedSecret {
  const expected = secrets.map(digest);
  return {
    matches(offered) {
      const given = digest(offered);
      return expected.map((secret) => timingSafeEqual(given, secret)).includes(true);
    },
  };
}
