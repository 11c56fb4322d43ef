import { migrateDocuments, type Migration } from '@najwa/common';
import type { KeptRecord, StoredReaders } from './lifecycle.js';
import { PICTURES } from './pictures.js';
import { SOUNDS } from './sounds.js';

/** Replace the readers that earlier versions stored in clear. */
export const sealingMigrations = (readers: {
  of(name: string, accountIds: number[]): Promise<StoredReaders>;
}): Migration[] =>
  [PICTURES, SOUNDS].map((collection) =>
    migrateDocuments<KeptRecord>({
      name: `2026-11-22-seal-readers-of-${collection}`,
      collection,
      orderedBy: 'name',
      projection: { readerIds: 1 },
      change: async ({ name, readerIds }) => (readerIds.length === 0 ? null : readers.of(name, readerIds)),
    }),
  );
