import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { retryOnDeadlock, ensureIndexes, isDuplicateKey } from '@najwa/common/mongo';
import { openDatabase } from '@najwa/testing';

const ROUNDS = 5;
const WRITERS = 8;

test('one of several concurrent writes of a unique key succeeds, and the others fail as duplicates', async () => {
  const connection = await openDatabase();
  try {
    const collection = connection.collection<{ id: number; key: string }>('keys');
    await ensureIndexes(connection, 'keys', [
      { key: { id: 1 }, name: 'id', unique: true },
      { key: { key: 1 }, name: 'key', unique: true },
    ]);
    await collection.insertMany(Array.from({ length: WRITERS }, (_, id) => ({ id, key: `none ${id}` })));
    const writes = [
      (id: number, key: string) => collection.updateOne({ id }, { $set: { key } }),
      (id: number, key: string) => collection.findOneAndUpdate({ id }, { $set: { key } }),
      (_: number, key: string) => collection.insertOne({ id: WRITERS + Math.floor(Math.random() * 1e12), key }),
    ];
    for (const write of writes) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const key = randomUUID();
        const results = await Promise.allSettled(
          Array.from({ length: WRITERS }, (_, id) => retryOnDeadlock<unknown>(() => write(id, key))),
        );
        const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
        expect(refusals).toHaveLength(WRITERS - 1);
        expect(refusals.filter((error) => !isDuplicateKey(error))).toEqual([]);
      }
    }
    await connection.dropDatabase();
  } finally {
    await connection.close();
  }
});
