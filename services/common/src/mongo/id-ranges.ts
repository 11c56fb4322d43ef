import type { Connection, Model } from 'mongoose';

/** 0 before the first. */
export async function latestId(connection: Connection, name: string): Promise<number> {
  const counter = await connection.collection<{ _id: string; value: number }>('counters').findOne({ _id: name });
  return counter?.value ?? 0;
}

export type IdOrder = 'newest' | 'oldest';

/** Inclusive. */
export interface IdSpan {
  first: number;
  last: number;
}

export type IdRange = { id: { $gt?: number; $gte?: number; $lt?: number; $lte?: number } } | Record<string, never>;

export interface IdRangesOptions<T> {
  find: (range: IdRange, limit: number) => Promise<T[]>;
  order: IdOrder;
  before?: number | undefined;
  limit: number;
  /** Contains nearly all ids. Others are found as well. */
  span: IdSpan;
  width?: number;
  /** Of the next range, by the number found. Infinity for the rest. */
  growth?: number | ((found: number) => number);
  maxIds?: number;
}

/** Up to this many ids, counting costs no more than reading a page. */
export const MAX_COUNTED_IDS = 10_000;

const WIDTH = 128;
const GROWTH = 4;

const rangeOf = (order: IdOrder, from: number | undefined, to: number | undefined): IdRange => {
  const range = order === 'newest' ? { $lt: from, $gte: to } : { $gt: from, $lte: to };
  const named = Object.entries(range).filter(([, bound]) => bound !== undefined);
  return named.length === 0 ? {} : { id: Object.fromEntries(named) };
};

/**
 * Reads a page in growing id ranges. DocumentDB sorts without an index, fetching all matches, so without a range each
 * page would cost as much as the list.
 * @returns the next `before`, null at the end
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

/** Newest first. */
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
