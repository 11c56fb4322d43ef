import { expect, test } from '@jest/globals';
import { readFallingIds, type IdRange } from './falling-ids.js';

/** Ids as a collection would find them, and which ranges were asked for. */
function collectionOf(ids: number[]) {
  const ranges: IdRange[] = [];
  const find = (range: IdRange, limit: number): Promise<number[]> => {
    ranges.push(range);
    return Promise.resolve(
      ids
        .filter((id) => id >= range.$gte && id < range.$lt)
        .sort((a, b) => b - a)
        .slice(0, limit),
    );
  };
  return { find, ranges };
}

const countingTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

test('the newest are read from one range when there is none missing', async () => {
  const { find, ranges } = collectionOf(countingTo(10_000));
  expect((await readFallingIds({ find, latest: 10_000, limit: 3 })).found).toEqual([10_000, 9_999, 9_998]);
  expect(ranges).toHaveLength(1);
});

test('what follows an id is read on from there', async () => {
  const { find } = collectionOf(countingTo(1_000));
  expect((await readFallingIds({ find, latest: 1_000, before: 500, limit: 2 })).found).toEqual([499, 498]);
});

test('gaps are passed over in few steps', async () => {
  const { find, ranges } = collectionOf([1, 7, 900_000]);
  expect(await readFallingIds({ find, latest: 1_000_000, limit: 10 })).toEqual({ found: [900_000, 7, 1], reached: 1 });
  expect(ranges.length).toBeLessThan(10);
});

test('a search ends after so many ids, and says where', async () => {
  const { find } = collectionOf([1]);
  expect(await readFallingIds({ find, latest: 1_000, limit: 10, span: 100, growth: 1, maxIds: 300 })).toEqual({ found: [], reached: 701 });
});

test.each([
  [{ latest: 0 }],
  [{ latest: 10, before: 1 }],
])('nothing is asked for where nothing can be: %j', async (options) => {
  const { find, ranges } = collectionOf(countingTo(10));
  expect(await readFallingIds({ find, limit: 5, ...options })).toEqual({ found: [], reached: 1 });
  expect(ranges).toEqual([]);
});
