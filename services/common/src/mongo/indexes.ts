import type { Connection, mongo } from 'mongoose';

/** Makes a collection's indexes where they are missing. Safe to repeat, and from several replicas at once. */
export async function ensureIndexes(
  connection: Connection,
  collection: string,
  indexes: mongo.IndexDescription[],
): Promise<void> {
  await connection.collection(collection).createIndexes(indexes);
}
