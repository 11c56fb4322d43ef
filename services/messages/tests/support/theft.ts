import { createHash, createHmac } from 'node:crypto';
import type { Bed } from '@najwa/testing';
import type { Connection } from 'mongoose';

type Service = Parameters<Bed['environmentOf']>[0];

/** Runs something on a service's database. */
export async function withDatabase<T>(
  bed: Bed,
  service: Service,
  run: (connection: Connection) => Promise<T>,
): Promise<T> {
  const database = await bed.openDatabase(service);
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

/** Every document of a service's database, as one text for each collection, with all that a thief of it has. */
export function dumpDatabase(bed: Bed, service: Service): Promise<Map<string, string>> {
  return withDatabase(bed, service, async (connection) => {
    const dump = new Map<string, string>();
    for (const { collectionName } of (await connection.db?.collections()) ?? []) {
      const documents = await connection.collection(collectionName).find().toArray();
      dump.set(`${service}.${collectionName}`, JSON.stringify(documents));
    }
    return dump;
  });
}

/** Texts of a dump that may be keys: at least 16 bytes in base64url or hex. */
const possibleKeys = (text: string): Buffer[] =>
  [...new Set(text.match(/[\w-]{22,64}/g) ?? [])].flatMap((found) =>
    [Buffer.from(found, 'base64url'), Buffer.from(found, 'hex')].filter(({ length }) => length >= 16),
  );

/**
 * Tries a known sender on everything, as a thief would: plain hashes, and HMACs under every text of the dump that may be a
 * key.
 * @param guesses texts that stand for the sender, as the services hash them
 */
export function tryGuesses(dump: string, guesses: string[]): string[] {
  const has = (digest: Buffer): boolean =>
    dump.includes(digest.toString('base64url').slice(0, 22)) || dump.includes(digest.toString('hex').slice(0, 32));
  const keys = possibleKeys(dump);
  return guesses.filter(
    (guess) =>
      has(createHash('sha256').update(guess).digest()) ||
      keys.some((key) => has(createHmac('sha256', key).update(guess).digest())),
  );
}
