import { mongo } from 'mongoose';
import { AppError } from '../errors/errors.js';

/**
 * Each document may fail independently.
 * @returns one entry per document: the error, or undefined
 * @throws {AppError} `unavailable` if the outcome is unknown
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
    if (refusals.size === 0)
      throw new AppError({
        code: 'unavailable',
        message: 'The service is temporarily unavailable. Try again shortly.',
        retryAfter: 2,
        cause: error,
      });
  }
  return documents.map((_, index) => refusals.get(index));
}
