import type { Connection } from 'mongoose';
import { createBatcher } from '../batcher.js';
import { isDuplicateKey, retryOnDeadlock } from './errors.js';

interface CounterDocument {
  _id: string;
  value: number;
}

/**
 * Reserves consecutive ids: 1, 2, 3 and so on. Unused ids leave gaps.
 * @param name of the collection
 * @returns the first reserved id
 */
export async function allocateIds(connection: Connection, name: string, count: number): Promise<number> {
  const counters = connection.collection<CounterDocument>('counters');
  const take = () =>
    retryOnDeadlock(() =>
      counters.findOneAndUpdate({ _id: name }, { $inc: { value: count } }, { upsert: true, returnDocument: 'after' }),
    );
  // Two concurrent first uses both try to insert the counter. Retry the update after a duplicate key.
  const counter = await take().catch((error: unknown) => {
    if (isDuplicateKey(error)) return take();
    throw error;
  });
  if (counter === null) throw new Error('The counter upsert returned no document.');
  return counter.value - count + 1;
}

/** Reserves one id. */
export const nextId = (connection: Connection, name: string): Promise<number> => allocateIds(connection, name, 1);

/**
 * Creates an id generator. Concurrent calls are batched, because all updates of one counter document are serialised.
 */
export const createIdGenerator = (connection: Connection, name: string): (() => Promise<number>) => {
  const take = createBatcher<true, number>({
    runBatch: async (asked) => {
      const first = await allocateIds(connection, name, asked.length);
      return asked.map((_, index) => first + index);
    },
  });
  return () => take(true);
};
