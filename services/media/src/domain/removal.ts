import type { BlobStore } from '../clients/blob-store.js';
import type { KeptRecord, Lifecycle } from '../db/lifecycle.js';

type Removable = Pick<Lifecycle<KeptRecord>, 'keysOf' | 'beginRemoval' | 'finishRemoval'>;

/** The revision of a removal that no later event may undo. */
export const FINAL_REVISION = Number.MAX_SAFE_INTEGER;

/** Removes a record and its bytes for good: later events change nothing. Safe to repeat after any failure. */
export async function removeKept(blobs: BlobStore, records: Removable, name: string, revision: number): Promise<void> {
  if (await records.beginRemoval(name, revision, new Date())) await finishRemoval(blobs, records, name);
}

export async function finishRemoval(blobs: BlobStore, records: Removable, name: string): Promise<void> {
  await removeBytes(blobs, records, name);
  await records.finishRemoval(name);
}

/** Removes every form that may exist, because a process that died while storing did not record which ones it stored. */
export async function removeBytes(
  blobs: BlobStore,
  { keysOf }: Pick<Removable, 'keysOf'>,
  name: string,
): Promise<void> {
  await Promise.all(keysOf(name).map((key) => blobs.remove(key)));
}
