import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { backUp } from './backup.js';
import type { Stores } from './stores.js';

const NAMES = ['counters', 'data_keys', 'messages', 'migrations', 'reports'];

/** Empty collections with these names in every database, and no bucket. */
const stores = {
  databaseOf: () => ({
    listCollections: () => ({ toArray: () => Promise.resolve(NAMES.map((name) => ({ name }))) }),
    collection: (collectionName: string) => ({
      collectionName,
      find: () => [],
      indexes: () => Promise.resolve([]),
    }),
  }),
  files: { bucketExists: () => Promise.resolve(false) },
} as unknown as Stores;

test('reads the progress of migrations before the documents, and counters and data keys after them', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-backup-'));
  try {
    const { collections } = await backUp(stores, folder);
    expect(collections.flatMap(({ service, collection }) => (service === 'messages' ? collection : []))).toEqual([
      'migrations',
      'messages',
      'reports',
      'counters',
      'data_keys',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
