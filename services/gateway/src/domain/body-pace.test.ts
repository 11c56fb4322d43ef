import { expect, test } from '@jest/globals';
import { createNetworkPaces } from './body-pace.js';

function setUp(bytesPerSecond: number) {
  const clock = { now: 5_000 };
  return { clock, paceOf: createNetworkPaces({ bytesPerSecond, now: () => clock.now }) };
}

test('all bodies of a network share its pace, and take none from another', () => {
  const { paceOf } = setUp(1_000);
  const [one, two] = [paceOf('a'), paceOf('a')];
  expect([one(100), two(100), one(50), paceOf('b')(100)]).toEqual([100, 200, 250, 100]);
});

test('time in which nothing came is not saved up', () => {
  const { clock, paceOf } = setUp(1_000);
  expect(paceOf('a')(100)).toBe(100);
  clock.now += 60_000;
  expect(paceOf('a')(100)).toBe(100);
});

test('without a bound, nothing waits', () => {
  const { paceOf } = setUp(Infinity);
  expect([1, 2].map(() => paceOf('a')(10_000_000))).toEqual([0, 0]);
});
