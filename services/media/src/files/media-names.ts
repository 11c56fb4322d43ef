import { randomBytes } from 'node:crypto';

/** 128 random bits: unguessable and unrelated to the content. */
export function createMediaName(): string {
  return randomBytes(16).toString('base64url');
}

export function isMediaName(candidate: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(candidate);
}
