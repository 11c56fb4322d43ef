import type { BlobStore } from '../clients/blob-store.js';
import type { KeptRecord, Lifecycle } from '../store/lifecycle.js';

type Removable = Pick<Lifecycle<KeptRecord>, 'keysOf' | 'beginRemoval' | 'finishRemoval'>;

/** No later event undoes a removal with it. */
export const FINAL_REVISION = Number.MAX_SAFE_INTEGER;

/** Idempotent. */
export async function removeKept(blobs: BlobStore, records: Removable, name: string, revision: number): Promise<void> {
  if (await records.beginRemoval(name, revision, new Date())) await finishRemoval(blobs, records, name);
}

export async function finishRemoval(blobs: BlobStore, records: Removable, name: string): Promise<void> {
  await removeBytes(blobs, records, name);
  await records.finishRemoval(name);
}

/** Removes every possible form: a crashed upload did not record which it stored. */
export async function removeBytes(blobs: BlobStore, records: Pick<Removable, 'keysOf'>, name: string): Promise<void> {
  await Promise.all(records.keysOf(name).map((key) => blobs.remove(key)));
}
