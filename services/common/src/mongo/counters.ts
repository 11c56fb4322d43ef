import type { Connection } from 'mongoose';
import { isDuplicateKey } from './errors.js';

interface CounterDocument {
  _id: string;
  value: number;
}

/**
 * The next id of a collection: 1, 2, 3 and so on. A number that was taken and then not used leaves a gap.
 * @param name of the collection
 */
export async function nextId(connection: Connection, name: string): Promise<number> {
  const counters = connection.collection<CounterDocument>('counters');
  const take = () => counters.findOneAndUpdate({ _id: name }, { $inc: { value: 1 } }, { upsert: true, returnDocument: 'after' });
  // Two first uses at the same instant both try to insert the counter; the one that lost finds it there.
  const counter = await take().catch((error: unknown) => {
    if (isDuplicateKey(error)) return take();
    throw error;
  });
  if (counter === null) throw new Error('A counter was upserted and not returned.');
  return counter.value;
}
