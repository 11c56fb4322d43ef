import type { Connection, mongo } from 'mongoose';

/** Idempotent, safe for concurrent replicas. */
export async function ensureIndexes(
  connection: Connection,
  collection: string,
  indexes: mongo.IndexDescription[],
): Promise<void> {
  await connection.collection(collection).createIndexes(indexes);
}
