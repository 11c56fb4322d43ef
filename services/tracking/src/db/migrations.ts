import { migrateDocuments, type Migration } from '@najwa/common';
import { COLLECTION, normalise, type RecordDocument, type StoredTrace, type TraceRecord } from './records.js';

/** Folds the stored texts again: a search cannot find what was folded in another way. */
const foldTexts = (name: string): Migration =>
  migrateDocuments<RecordDocument>({
    name,
    collection: COLLECTION,
    orderedBy: 'messageId',
    projection: { message: 1, searchableText: 1 },
    change({ message, searchableText }) {
      const folded = normalise(message.content);
      return folded === searchableText ? null : { searchableText: folded };
    },
  });

/** In the order in which they were added. After a change of `foldWords`, add one with a new name. */
export const textMigrations: readonly Migration[] = [
  // Digits of other scripts and more letters.
  foldTexts('2026-11-22-fold-search-texts'),
  // Characters that nobody sees, and letters that look like others.
  foldTexts('2026-11-22-fold-like-filters'),
];

interface TraceSealing {
  seal(trace: TraceRecord, messageId: number, createdAt: Date): Promise<StoredTrace>;
}

/** Seal the traces that earlier versions stored in clear. */
export const sealingMigrations = (seals: TraceSealing): Migration[] => [
  migrateDocuments<RecordDocument>({
    name: '2026-11-22-seal-traces',
    collection: COLLECTION,
    orderedBy: 'messageId',
    projection: { trace: 1, createdAt: 1 },
    change: async ({ trace, messageId, createdAt }) =>
      trace === null ? null : seals.seal(trace, messageId, createdAt),
  }),
];
