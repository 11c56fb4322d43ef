import type { Connection, Model } from 'mongoose';

/** The id that was given out last in a collection whose ids come from `nextId`; 0 before the first. */
export async function latestId(connection: Connection, name: string): Promise<number> {
  const counter = await connection.collection<{ _id: string; value: number }>('counters').findOne({ _id: name });
  return counter?.value ?? 0;
}

export type IdOrder = 'newest' | 'oldest';

/** Both are in it. */
export interface IdSpan {
  first: number;
  last: number;
}

/** A condition on ids, to be put among the others of a query; none at all for every id. */
export type IdRange = { id: { $gt?: number; $gte?: number; $lt?: number; $lte?: number } } | Record<string, never>;

export interface IdRangesOptions<T> {
  /** Finds documents within a range, in the order of the list, at most `limit`. */
  find: (range: IdRange, limit: number) => Promise<T[]>;
  order: IdOrder;
  /** The id with which the page before ended, in the list's own order. */
  before?: number | undefined;
  limit: number;
  /** Within it lies nearly everything. What lies beyond is found as well. */
  span: IdSpan;
  /** How many ids the first range holds, and how many times as many each further one. */
  width?: number;
  growth?: number;
  /** After so many ids the search ends, however little it found. */
  maxIds?: number;
}

/** While no more ids than this have been given out, counting what matches costs no more than reading a page of it. */
export const MAX_COUNTED_IDS = 10_000;

const WIDTH = 128;
const GROWTH = 4;

/** Open at a side where nothing is named. */
const rangeOf = (order: IdOrder, from: number | undefined, to: number | undefined): IdRange => {
  const range = order === 'newest' ? { $lt: from, $gte: to } : { $gt: from, $lte: to };
  const named = Object.entries(range).filter(([, bound]) => bound !== undefined);
  return named.length === 0 ? {} : { id: Object.fromEntries(named) };
};

/**
 * Reads a page of a list by ranges of ids, each greater than the one before it, until there are enough. Not every server walks an
 * index in the order of a sort: DocumentDB fetches all that match and sorts them then, so that any page of a long list would
 * cost as much as the list. A range bounds what there is to sort, everywhere.
 * @returns what was found, and the `before` with which to look further; null when there is nothing further to look at
 */
export async function readByIdRanges<T>({
  find,
  order,
  before,
  limit,
  span: { first, last },
  width = WIDTH,
  growth = GROWTH,
  maxIds = Infinity,
}: IdRangesOptions<T>): Promise<{ found: T[]; nextBefore: number | null }> {
  const found: T[] = [];
  const falling = order === 'newest';
  let from = before;
  let edge = falling ? Math.min(before ?? Infinity, last + 1) : Math.max(before ?? 0, first - 1);
  let looked = 0;
  for (let size = width; found.length < limit && looked < maxIds; size *= growth) {
    edge += falling ? -size : size;
    looked += size;
    const isLast = falling ? edge <= first : edge >= last;
    found.push(...(await find(rangeOf(order, from, isLast ? undefined : edge), limit - found.length)));
    if (isLast) return { found, nextBefore: null };
    from = edge;
  }
  return { found, nextBefore: from ?? null };
}

/** Reads a page of all documents of a collection whose ids come from `nextId`, the newest first. */
export async function readNewest<T>(
  model: Model<T>,
  page: { before: number | undefined; limit: number },
): Promise<T[]> {
  const { found } = await readByIdRanges({
    find: (range, most) => model.find(range).sort({ id: -1 }).limit(most).lean<T[]>(),
    order: 'newest',
    span: { first: 1, last: await latestId(model.db, model.collection.collectionName) },
    ...page,
  });
  return found;
}
