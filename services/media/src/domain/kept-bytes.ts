import { createHash } from 'node:crypto';
import { AppError } from '@najwa/common';
import type { KeptBytes, KeptStatus } from '../db/lifecycle.js';

export function describeBytes(bytes: Buffer, contentType: string): KeptBytes {
  return { size: bytes.length, contentType, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

const ENDED: readonly KeptStatus[] = ['removing', 'removed', 'abandoned'];

export const isKept = <Kept extends { status: KeptStatus }>(kept: Kept | null): kept is Kept =>
  kept !== null && !ENDED.includes(kept.status);

/** @throws {AppError} `unavailable` for a record that is being removed; its key is free a moment later */
export function requireKept<Kept extends { status: KeptStatus }>(kept: Kept | null): Kept {
  if (!isKept(kept)) {
    throw new AppError({
      code: 'unavailable',
      message: 'The file could not be kept just now. Try again shortly.',
      retryAfter: 1,
    });
  }
  return kept;
}
