import type { Connection } from 'mongoose';
import { createBatcher } from '../batcher.js';
import { isDuplicateKey, retryOnDeadlock } from './errors.js';

export const COUNTERS = 'counters';

/** First value of missing counters. A restore writes it: ids up to it may be in use. */
export const ID_FLOOR = 'floor';

interface CounterDocument {
  _id: string;
  value: number;
}

/**
 * Reserves consecutive ids from 1. Unused ones leave gaps.
 * @returns the first one
 */
export async function allocateIds(connection: Connection, name: string, count: number): Promise<number> {
  const counters = connection.collection<CounterDocument>(COUNTERS);
  const take = () =>
    retryOnDeadlock(() =>
      counters.findOneAndUpdate({ _id: name }, { $inc: { value: count } }, { returnDocument: 'after' }),
    );
  let counter = await take();
  if (counter === null) {
    const floor = await counters.findOne({ _id: ID_FLOOR });
    await counters.insertOne({ _id: name, value: floor?.value ?? 0 }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
    counter = await take();
  }
  if (counter === null) throw new Error('The counter is missing.');
  return counter.value - count + 1;
}

export const nextId = (connection: Connection, name: string): Promise<number> => allocateIds(connection, name, 1);

/** Batched, because updates of one counter are serialised. */
export const createIdGenerator = (connection: Connection, name: string): (() => Promise<number>) => {
  const take = createBatcher<true, number>({
    runBatch: async (asked) => {
      const first = await allocateIds(connection, name, asked.length);
      return asked.map((_, index) => first + index);
    },
  });
  return () => take(true);
};
