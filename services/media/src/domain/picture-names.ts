import { randomBytes } from 'node:crypto';

/** 128 random bits: nothing of a picture, its message or its sender stands in its address, and nobody guesses one. */
export function createPictureName(): string {
  return randomBytes(16).toString('base64url');
}

export function isPictureName(candidate: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(candidate);
}
