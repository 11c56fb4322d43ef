import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readByIdRanges, type IdOrder, type IdRange } from './id-ranges.js';

/** Simulates a collection of ids and records how many ids each range matched. */
function collectionOf(ids: number[], order: IdOrder) {
  const sizes: number[] = [];
  const find = ({ id }: IdRange, limit: number): Promise<number[]> => {
    const { $gt = -Infinity, $gte = -Infinity, $lt = Infinity, $lte = Infinity } = { ...id };
    const within = ids.filter((each) => each > $gt && each >= $gte && each < $lt && each <= $lte);
    sizes.push(within.length);
    return Promise.resolve(within.sort((a, b) => (order === 'newest' ? b - a : a - b)).slice(0, limit));
  };
  return { find, sizes };
}

const countingTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe.each([
  ['newest' as const, [10_000, 9_999, 9_998], [499, 498]],
  ['oldest' as const, [1, 2, 3], [501, 502]],
])('the %s first', (order, firstPage, afterFiveHundred) => {
  const all = { order, span: { first: 1, last: 10_000 } };

  test('ids are read from one range when there are no gaps', async () => {
    const { find, sizes } = collectionOf(countingTo(10_000), order);
    expect((await readByIdRanges({ ...all, find, limit: 3 })).found).toEqual(firstPage);
    expect(sizes).toEqual([128]);
  });

  test('continue after an id', async () => {
    const { find } = collectionOf(countingTo(10_000), order);
    expect((await readByIdRanges({ ...all, find, before: 500, limit: 2 })).found).toEqual(afterFiveHundred);
  });

  test('ids are found across gaps with few queries', async () => {
    const { find, sizes } = collectionOf([1, 7, 450_000, 900_000], order);
    const { found, nextBefore } = await readByIdRanges({
      find,
      order,
      limit: 10,
      span: { first: 1, last: 1_000_000 },
    });
    expect([...found].sort((a, b) => a - b)).toEqual([1, 7, 450_000, 900_000]);
    expect(nextBefore).toBeNull();
    expect(sizes.length).toBeLessThan(10);
  });

  test('include ids outside the span at both ends', async () => {
    const { find } = collectionOf([3, 50, 60, 97], order);
    const { found } = await readByIdRanges({ find, order, limit: 10, span: { first: 50, last: 60 } });
    expect([...found].sort((a, b) => a - b)).toEqual([3, 50, 60, 97]);
  });

  test('ids are read with one unconditional query if all fit into the first range', async () => {
    const { find, sizes } = collectionOf([4, 900_000], order);
    expect(
      (await readByIdRanges({ find, order, limit: 10, width: Infinity, span: { first: 4, last: 900_000 } })).found,
    ).toHaveLength(2);
    expect(sizes).toEqual([2]);
  });

  test('end at the last possible id', async () => {
    const { find } = collectionOf(countingTo(10), order);
    const options = { find, order, limit: 5, span: { first: 1, last: 10 } };
    expect(await readByIdRanges({ ...options, before: order === 'newest' ? 1 : 10 })).toEqual({
      found: [],
      nextBefore: null,
    });
    expect(await readByIdRanges({ ...options, span: { first: 1, last: 0 } })).toMatchObject({ nextBefore: null });
  });
});

test('a search stops after the maximum number of ids and returns a cursor', async () => {
  const { find } = collectionOf([1], 'newest');
  const span = { first: 1, last: 1_000 };
  const { found, nextBefore } = await readByIdRanges({
    find,
    order: 'newest',
    limit: 10,
    span,
    width: 100,
    growth: 1,
    maxIds: 300,
  });
  expect({ found, nextBefore }).toEqual({ found: [], nextBefore: 701 });
  expect((await readByIdRanges({ find, order: 'newest', before: 701, limit: 10, span, width: 1_000 })).found).toEqual([
    1,
  ]);
});

test('paging returns every id once and in order, for any ids and any span', async () => {
  const id = fc.integer({ min: 1, max: 5_000 });
  const lists = fc.record({
    ids: fc.uniqueArray(id, { maxLength: 60 }),
    order: fc.constantFrom('newest' as const, 'oldest' as const),
    ends: fc.tuple(id, id),
    limit: fc.integer({ min: 1, max: 12 }),
    width: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(Infinity)),
    growth: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(lists, async ({ ids, order, ends, limit, width, growth }) => {
      const { find } = collectionOf(ids, order);
      const seen: number[] = [];
      for (let page: number[] | undefined; page === undefined || page.length === limit;) {
        page = (
          await readByIdRanges({
            find,
            order,
            before: seen.at(-1),
            limit,
            width,
            growth,
            span: { first: Math.min(...ends), last: Math.max(...ends) },
          })
        ).found;
        seen.push(...page);
      }
      expect(seen).toEqual([...ids].sort((a, b) => (order === 'newest' ? b - a : a - b)));
    }),
  );
});
