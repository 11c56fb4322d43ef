import type { BlobStore } from '../clients/blob-store.js';
import type { KeptRecord, Lifecycle } from '../db/lifecycle.js';

type Removable = Pick<Lifecycle<KeptRecord>, 'keysOf' | 'beginRemoval' | 'finishRemoval'>;

/** Of what has no message whose revisions would count: nothing comes after its removal. */
export const FINAL_REVISION = Number.MAX_SAFE_INTEGER;

/** Removes what is kept for good: what arrives later about it changes nothing. Safe to repeat after any failure. */
export async function removeKept(blobs: BlobStore, records: Removable, name: string, revision: number): Promise<void> {
  if (await records.beginRemoval(name, revision, new Date())) await finishRemoval(blobs, records, name);
}

export async function finishRemoval(blobs: BlobStore, records: Removable, name: string): Promise<void> {
  await removeBytes(blobs, records, name);
  await records.finishRemoval(name);
}

/** In all forms that there may be: what died while it stored some had not written down which. */
export async function removeBytes(
  blobs: BlobStore,
  { keysOf }: Pick<Removable, 'keysOf'>,
  name: string,
): Promise<void> {
  await Promise.all(keysOf(name).map((key) => blobs.remove(key)));
}
