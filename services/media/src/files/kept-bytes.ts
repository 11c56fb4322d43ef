import { createHash } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import type { Logger } from '@najwa/common/logging';
import type { BlobStore } from '../clients/blob-store.js';
import type { KeptBytes, KeptRecord, KeptStatus, Lifecycle } from '../store/lifecycle.js';
import type { Readers } from './readers.js';
import { removeBytes } from './removal.js';

export interface KeptDeps {
  blobs: BlobStore;
  readers: Readers;
  logger: Logger;
}

export function describeBytes(bytes: Buffer, contentType: string): KeptBytes {
  return { size: bytes.length, contentType, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

const ENDED: readonly KeptStatus[] = ['removing', 'removed', 'abandoned'];

const isKept = <Kept extends { status: KeptStatus }>(kept: Kept | null): kept is Kept =>
  kept !== null && !ENDED.includes(kept.status);

/** @throws {AppError} `unavailable` while its record is being removed; the key is free soon after */
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

/**
 * Starts serving stored bytes.
 * @throws {AppError} `unavailable` if the record ended meanwhile; the bytes are removed
 */
export async function completeKept<Kept extends KeptRecord>(
  blobs: BlobStore,
  records: Pick<Lifecycle<Kept>, 'complete' | 'keysOf'>,
  name: string,
  facts: Parameters<Lifecycle<Kept>['complete']>[1],
): Promise<Kept> {
  const kept = await records.complete(name, facts);
  // Removed after another replica stored it, or abandoned while this process stalled: that removal missed these bytes.
  if (!isKept(kept)) await removeBytes(blobs, records, name);
  return requireKept(kept);
}
