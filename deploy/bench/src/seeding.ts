import type { Connection } from 'mongoose';

const BATCH = 1_000;
const WRITERS = 4;

/** @returns the number below ids that are unique */
export async function reserveIds(database: Connection, name: string, count: number): Promise<number> {
  const counter = await database
    .collection<{ _id: string; value: number }>('counters')
    .findOneAndUpdate({ _id: name }, { $inc: { value: count } }, { upsert: true, returnDocument: 'after' });
  return (counter?.value ?? Number.NaN) - count;
}

/** Directly in the database, from the first place to the last. */
export async function insertRecords(
  database: Connection,
  name: string,
  { first, last }: { first: number; last: number },
  recordAt: (place: number) => object,
): Promise<void> {
  let next = first;
  const write = async (): Promise<void> => {
    while (next <= last) {
      const from = next;
      next += BATCH;
      const places = Array.from({ length: Math.min(BATCH, last - from + 1) }, (_, index) => from + index);
      await database.collection(name).insertMany(places.map(recordAt), { ordered: false });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}
