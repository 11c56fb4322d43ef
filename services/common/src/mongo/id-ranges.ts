import type { Connection, Model } from 'mongoose';

/** Last id issued by `nextId` for a collection; 0 before the first. */
export async function latestId(connection: Connection, name: string): Promise<number> {
  const counter = await connection.collection<{ _id: string; value: number }>('counters').findOne({ _id: name });
  return counter?.value ?? 0;
}

export type IdOrder = 'newest' | 'oldest';

/** Inclusive bounds. */
export interface IdSpan {
  first: number;
  last: number;
}

/** Filter on ids, for use within a query. Empty if unbounded. */
export type IdRange = { id: { $gt?: number; $gte?: number; $lt?: number; $lte?: number } } | Record<string, never>;

export interface IdRangesOptions<T> {
  /** Finds at most `limit` documents within a range, in list order. */
  find: (range: IdRange, limit: number) => Promise<T[]>;
  order: IdOrder;
  /** Id of the last entry on the previous page. */
  before?: number | undefined;
  limit: number;
  /** Range that contains nearly all ids. Ids outside of it are found as well. */
  span: IdSpan;
  /** Size of the first range. */
  width?: number;
  /** Growth factor of the next range, after so many documents were found. Infinity for all that is left. */
  growth?: number | ((found: number) => number);
  /** Maximum number of ids to scan, however few matched. */
  maxIds?: number;
}

/** Up to this many issued ids, counting matches costs no more than reading a page. */
export const MAX_COUNTED_IDS = 10_000;

const WIDTH = 128;
const GROWTH = 4;

/** Unbounded at a side without a value. */
const rangeOf = (order: IdOrder, from: number | undefined, to: number | undefined): IdRange => {
  const range = order === 'newest' ? { $lt: from, $gte: to } : { $gt: from, $lte: to };
  const named = Object.entries(range).filter(([, bound]) => bound !== undefined);
  return named.length === 0 ? {} : { id: Object.fromEntries(named) };
};

/**
 * Reads a page of a list in growing id ranges until it is full. Some servers do not use an index for sorting:
 * DocumentDB fetches and sorts all matches, so the cost of every page would grow with the list. A range limits the
 * documents to sort.
 * @returns the documents, and the next `before`; null if there are no more ids to scan
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
  for (
    let size = width;
    found.length < limit && looked < maxIds;
    size *= typeof growth === 'number' ? growth : growth(found.length)
  ) {
    edge += falling ? -size : size;
    looked += size;
    const isLast = falling ? edge <= first : edge >= last;
    found.push(...(await find(rangeOf(order, from, isLast ? undefined : edge), limit - found.length)));
    if (isLast) return { found, nextBefore: null };
    from = edge;
  }
  return { found, nextBefore: from ?? null };
}

/** Reads a page of a whole collection with ids from `nextId`, newest first. */
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
