import { expect, test } from '@jest/globals';
import { Windows } from './windows.js';

function setUp() {
  const clock = { now: 0 };
  const [one, two] = [0, 1].map(
    () => new Windows({ points: 3, windowMs: 1_000, scale: 1, isShared: true, now: () => clock.now }),
  );
  return { clock, one: one!, two: two! };
}

test('allows a number of points in each window, for each key', () => {
  const { clock, one } = setUp();
  clock.now = 100;
  expect([one.take('a'), one.take('a'), one.take('a'), one.take('b')]).toEqual([0, 0, 0, 0]);
  clock.now = 600;
  expect(one.take('a')).toBe(500);
  clock.now = 1_100;
  expect(one.take('a')).toBe(0);
});

test('counts of another worker use up the same points', () => {
  const { clock, one, two } = setUp();
  for (let count = 0; count < 2; count += 1) one.take('a');
  clock.now = 400;
  two.take('a');
  two.add(one.takeCounts());
  expect(one.takeCounts()).toEqual([]);
  expect(two.take('a')).toBe(600);
  clock.now = 1_000;
  two.add([['a', 5, 1_000]]);
  expect(two.take('a')).toBe(0);
});

test('the scale multiplies the points, and 0 switches the bound off', () => {
  const allowed = (scale: number) => {
    const windows = new Windows({ points: 20, windowMs: 1_000, scale, isShared: false, now: () => 0 });
    return Array.from({ length: 50 }, () => windows.take('a')).filter((wait) => wait === 0).length;
  };
  expect([allowed(0.1), allowed(0.001), allowed(2), allowed(0)]).toEqual([2, 1, 40, 50]);
});

// Threat model: owner-28.
test('a thinned bound counts by chance, in windows that begin by the clock', () => {
  const clock = { now: 400 };
  const draws = Array.from({ length: 100 }, (_, index) => (index % 5 === 4 ? 0 : 0.9));
  const random = (): number => draws.shift() ?? 0;
  const thinned = { points: 20, windowMs: 1_000, scale: 1, isShared: true, isThinned: true, random };
  const windows = new Windows({ ...thinned, now: () => clock.now });
  const taken = Array.from({ length: 30 }, () => windows.take('a')).filter((wait) => wait === 0).length;
  expect(taken).toBe(24);
  expect(windows.take('a')).toBe(600);
  clock.now = 1_000;
  expect(windows.take('a')).toBe(0);
});
