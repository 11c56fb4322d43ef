import type { Connection } from 'mongoose';
import { isDuplicateKey, writeUnique } from './errors.js';

interface CounterDocument {
  _id: string;
  value: number;
}

/**
 * Takes the next ids of a collection at once: 1, 2, 3 and so on. A number that was taken and then not used leaves a gap.
 * @param name of the collection
 * @returns the first of them; the others follow
 */
export async function takeIds(connection: Connection, name: string, count: number): Promise<number> {
  const counters = connection.collection<CounterDocument>('counters');
  const take = () => writeUnique(() => counters.findOneAndUpdate({ _id: name }, { $inc: { value: count } }, { upsert: true, returnDocument: 'after' }));
  // Two first uses at the same instant both try to insert the counter; the one that lost finds it there.
  const counter = await take().catch((error: unknown) => {
    if (isDuplicateKey(error)) return take();
    throw error;
  });
  if (counter === null) throw new Error('A counter was upserted and not returned.');
  return counter.value - count + 1;
}

/** The next id of a collection. */
export const nextId = (connection: Connection, name: string): Promise<number> => takeIds(connection, name, 1);

interface Waiting {
  resolve: (id: number) => void;
  reject: (error: unknown) => void;
}

/**
 * Makes a function that gives the next id of a collection. Whoever asks while a question is under way shares the next one: a
 * counter is one document, whose changes come one after the other.
 */
export function createIdSource(connection: Connection, name: string): () => Promise<number> {
  let waiting: Waiting[] = [];
  let isAsking = false;

  const ask = async (): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      const served = waiting;
      waiting = [];
      try {
        const first = await takeIds(connection, name, served.length);
        served.forEach(({ resolve }, index) => resolve(first + index));
      } catch (error) {
        for (const { reject } of served) reject(error);
      }
    }
    isAsking = false;
  };

  return () =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      if (!isAsking) void ask();
    });
}
