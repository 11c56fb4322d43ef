import { mongo } from 'mongoose';
import { AppError } from '../errors.js';

/**
 * Inserts documents in one command, each of which may be refused alone.
 * @returns for each the error that refused it, or nothing
 * @throws {AppError} `unavailable` when it is not known which were inserted
 */
export async function insertEach<T extends object>(
  collection: mongo.Collection,
  documents: T[],
): Promise<(mongo.MongoServerError | undefined)[]> {
  const refusals = new Map<number, mongo.MongoServerError>();
  try {
    await collection.insertMany(documents, { ordered: false });
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    for (const { index, code, errmsg } of [error.writeErrors].flat())
      refusals.set(index, new mongo.MongoServerError({ code, message: errmsg ?? '' }));
    // The driver wraps whatever else went wrong, such as a lost connection, in the same error.
    if (refusals.size === 0)
      throw new AppError({
        code: 'unavailable',
        message: 'The service cannot answer just now. Try again shortly.',
        retryAfter: 2,
        cause: error,
      });
  }
  return documents.map((_, index) => refusals.get(index));
}
