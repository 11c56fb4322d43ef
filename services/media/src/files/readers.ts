import type { DataKeys } from '@najwa/product';
import type { KeptRecord, StoredReaders } from '../store/lifecycle.js';

/** One reader is the sender, so records must not identify accounts. */
export class Readers {
  constructor(private readonly dataKeys: DataKeys) {}

  async of(name: string, accountIds: number[]): Promise<StoredReaders> {
    return { readerTags: await Promise.all(accountIds.map((accountId) => this.#tagOf(name, accountId))) };
  }
  async include({ name, readerTags }: Pick<KeptRecord, 'name'> & StoredReaders, accountId: number): Promise<boolean> {
    return readerTags.includes(await this.#tagOf(name, accountId));
  }

  async #tagOf(name: string, accountId: number): Promise<string> {
    return (await this.dataKeys.permanentKey()).tag('reader', name, accountId);
  }
}
