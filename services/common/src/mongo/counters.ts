import type { Connection } from 'mongoose';
import { createBatcher } from '../batcher.js';
import { isDuplicateKey, retryOnDeadlock } from './errors.js';

interface CounterDocument {
  _id: string;
  value: number;
}

/**
 * Takes the next ids of a collection at once: 1, 2, 3 and so on. A number that was taken and then not used leaves a gap.
 * @param name of the collection
 * @returns the first of them; the others follow
 */
export async function allocateIds(connection: Connection, name: string, count: number): Promise<number> {
  const counters = connection.collection<CounterDocument>('counters');
  const take = () =>
    retryOnDeadlock(() =>
      counters.findOneAndUpdate({ _id: name }, { $inc: { value: count } }, { upsert: true, returnDocument: 'after' }),
    );
  // Two first uses at the same instant both try to insert the counter; the one that lost finds it there.
  const counter = await take().catch((error: unknown) => {
    if (isDuplicateKey(error)) return take();
    throw error;
  });
  if (counter === null) throw new Error('A counter was upserted and not returned.');
  return counter.value - count + 1;
}

/** The next id of a collection. */
export const nextId = (connection: Connection, name: string): Promise<number> => allocateIds(connection, name, 1);

/** Makes a function that gives the next id of a collection: a counter is one document, whose changes come one after the other. */
export const createIdGenerator = (connection: Connection, name: string): (() => Promise<number>) => {
  const take = createBatcher<true, number>({
    runBatch: async (asked) => {
      const first = await allocateIds(connection, name, asked.length);
      return asked.map((_, index) => first + index);
    },
  });
  return () => take(true);
};
