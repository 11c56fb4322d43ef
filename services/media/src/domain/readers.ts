import type { DataKeys } from '@najwa/product';
import type { KeptRecord, StoredReaders } from '../db/lifecycle.js';

/** One reader is the sender, so records must not identify accounts. */
export interface Readers {
  of(name: string, accountIds: number[]): Promise<StoredReaders>;
  include(file: Pick<KeptRecord, 'name'> & StoredReaders, accountId: number): Promise<boolean>;
}

export function createReaders(dataKeys: DataKeys): Readers {
  const tagOf = async (name: string, accountId: number): Promise<string> =>
    (await dataKeys.permanentKey()).tag('reader', name, accountId);

  return {
    async of(name, accountIds) {
      return { readerTags: await Promise.all(accountIds.map((accountId) => tagOf(name, accountId))) };
    },
    include: async ({ name, readerTags }, accountId) => readerTags.includes(await tagOf(name, accountId)),
  };
}
