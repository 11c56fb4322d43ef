import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { backUp } from './backup.js';
import type { Stores } from './stores.js';

const NAMES = ['counters', 'data_keys', 'messages', 'migrations', 'reports'];

/** Empty collections with these names in every database. */
const storesWith = (files: object): Stores =>
  ({
    databaseOf: () => ({
      listCollections: () => ({ toArray: () => Promise.resolve(NAMES.map((name) => ({ name }))) }),
      collection: (collectionName: string) => ({
        collectionName,
        find: () => [],
        indexes: () => Promise.resolve([]),
      }),
    }),
    files,
    bucket: 'files',
  }) as unknown as Stores;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'najwa-backup-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('reads migrations before the documents, and counters and data keys after them', async () => {
  const { collections } = await backUp(storesWith({ bucketExists: () => Promise.resolve(false) }), folder);
  expect(collections.flatMap(({ service, collection }) => (service === 'messages' ? collection : []))).toEqual([
    'migrations',
    'messages',
    'reports',
    'counters',
    'data_keys',
  ]);
});

test('a backup fails if a file cannot be read while later ones are listed', async () => {
  const files = {
    bucketExists: () => Promise.resolve(true),
    getObject: () => Promise.reject(new Error('The store is away.')),
    listObjectsV2: async function* () {
      yield { name: 'first' };
      await setImmediate();
      yield { name: 'temporary/second' };
    },
  };
  await expect(backUp(storesWith(files), folder)).rejects.toThrow('The store is away.');
  expect(await readdir(folder)).not.toContain('manifest.json');
});
