import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, for the cookie. */
export function createSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a token, and what the gateway asks with: SHA-256, 32 bytes. */
export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
