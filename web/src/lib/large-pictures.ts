import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** A tab's storage has no room for these. Its draft has the id in place of the picture. */
interface Schema extends DBSchema {
  kept: { key: string; value: { src: string; keptAt: number } };
}

/** A closed tab leaves its picture until the next one is kept. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

async function withStore<Result>(act: (store: IDBPDatabase<Schema>) => Promise<Result>): Promise<Result | null> {
  try {
    const store = await openDB<Schema>('pictures', 1, {
      upgrade(created) {
        created.createObjectStore('kept');
      },
    });
    return await act(store).finally(() => store.close());
  } catch {
    return null;
  }
}

export const keepLarge = (id: string, src: string) =>
  withStore(async (store) => {
    for (const key of await store.getAllKeys('kept')) {
      const { keptAt = 0 } = (await store.get('kept', key)) ?? {};
      if (Date.now() - keptAt > LONGEST_MS) await store.delete('kept', key);
    }
    await store.put('kept', { src, keptAt: Date.now() }, id);
  });

export const readLarge = async (id: string): Promise<string | null> =>
  (await withStore((store) => store.get('kept', id)))?.src ?? null;

export const forgetLarge = (id: string) => withStore((store) => store.delete('kept', id));
