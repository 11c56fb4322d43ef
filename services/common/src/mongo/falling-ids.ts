import type { Connection } from 'mongoose';

/** The id that was given out last in a collection whose ids come from `nextId`; 0 before the first. */
export async function latestId(connection: Connection, name: string): Promise<number> {
  const counter = await connection.collection<{ _id: string; value: number }>('counters').findOne({ _id: name });
  return counter?.value ?? 0;
}

export interface IdRange {
  $gte: number;
  $lt: number;
}

export interface FallingIdsOptions<T> {
  /** Finds documents with ids in a range, the highest first, at most `limit`. */
  find: (ids: IdRange, limit: number) => Promise<T[]>;
  /** From `latestId`. */
  latest: number;
  /** Only below this id. */
  before?: number | undefined;
  limit: number;
  /** How many ids the first range spans, and how many times as many each further one. */
  span?: number;
  growth?: number;
  /** After so many ids the search ends, however little it found. */
  maxIds?: number;
}

/** While no more ids than this have been given out, counting what matches costs no more than reading a page of it. */
export const COUNTABLE_IDS = 10_000;

const SPAN = 128;
const GROWTH = 4;

/**
 * Reads the newest documents by ranges of ids, each greater than the one before it, until there are enough. Not every
 * server walks an index in the order of a sort: DocumentDB fetches all that match and sorts them then, so that the
 * first page of a long list would cost as much as the list. A range bounds what there is to sort, everywhere.
 * @returns what was found, and the id below which nothing was looked at; 1 when nothing is left
 */
export async function readFallingIds<T>({ find, latest, before, limit, span = SPAN, growth = GROWTH, maxIds = Infinity }: FallingIdsOptions<T>): Promise<{ found: T[]; reached: number }> {
  const found: T[] = [];
  const top = Math.min(before ?? Infinity, latest + 1);
  let reached = top;
  for (let width = span; found.length < limit && reached > 1 && top - reached < maxIds; width *= growth) {
    const floor = Math.max(1, reached - width);
    found.push(...(await find({ $gte: floor, $lt: reached }, limit - found.length)));
    reached = floor;
  }
  return { found, reached: Math.max(1, reached) };
}
