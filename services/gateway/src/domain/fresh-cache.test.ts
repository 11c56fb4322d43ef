import { describe, expect, jest, test } from '@jest/globals';
import { createFreshCache } from './fresh-cache.js';

function setUp({
  maxSize = 10,
  lifetimeMs = () => 100,
}: { maxSize?: number; lifetimeMs?: (value: string) => number } = {}) {
  const clock = { now: 0 };
  const cache = createFreshCache<string>({
    maxSize,
    sizeOf: (value) => value.length,
    lifetimeMs,
    tagsOf: (key, value) => [key, value === undefined ? 'under way' : `value ${value}`],
    now: () => clock.now,
  });
  return { cache, clock };
}

/** A value that arrives when the test calls `arrive`. */
function pending() {
  let arrive!: (value: string) => void;
  const promise = new Promise<string>((resolve) => (arrive = resolve));
  return { promise, arrive };
}

describe('a fresh cache', () => {
  test('shares one fetch between concurrent and later callers', async () => {
    const { cache } = setUp();
    const fetch = jest.fn(() => Promise.resolve('a'));
    expect(await Promise.all(Array.from({ length: 100 }, () => cache.load('key', fetch)))).toEqual(
      Array(100).fill('a'),
    );
    expect(await cache.load('key', fetch)).toBe('a');
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('expires entries', async () => {
    const { cache, clock } = setUp();
    await cache.load('key', () => Promise.resolve('a'));
    clock.now = 99;
    expect(cache.peek('key')).toBe('a');
    clock.now = 100;
    expect(cache.peek('key')).toBeUndefined();
  });

  test('does not store values without a lifetime, nor failures', async () => {
    const { cache } = setUp({ lifetimeMs: () => 0 });
    await cache.load('key', () => Promise.resolve('a'));
    expect(cache.peek('key')).toBeUndefined();
    await expect(cache.load('key', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.load('key', () => Promise.resolve('b'))).toBe('b');
  });

  test('drops entries by any of their tags', async () => {
    const { cache } = setUp();
    await cache.load('one', () => Promise.resolve('x'));
    await cache.load('two', () => Promise.resolve('x'));
    await cache.load('three', () => Promise.resolve('y'));
    cache.drop('value x');
    expect([cache.peek('one'), cache.peek('two'), cache.peek('three')]).toEqual([undefined, undefined, 'y']);
  });

  test('does not store or share a fetch that was in progress during a drop', async () => {
    const { cache } = setUp();
    const before = pending();
    const asked = cache.load('key', () => before.promise);
    cache.drop('key');
    const after = cache.load('key', () => Promise.resolve('new'));
    expect(await after).toBe('new');
    before.arrive('old');
    expect(await asked).toBe('old');
    expect(cache.peek('key')).toBe('new');
  });

  test('a fetch in progress has the tags of an undefined value', async () => {
    const { cache } = setUp();
    const answer = pending();
    const asked = cache.load('key', () => answer.promise);
    cache.drop('under way');
    answer.arrive('a');
    await asked;
    expect(cache.peek('key')).toBeUndefined();
  });

  test('clears everything, including fetches in progress', async () => {
    const { cache } = setUp();
    await cache.load('stored', () => Promise.resolve('a'));
    const answer = pending();
    const asked = cache.load('asked', () => answer.promise);
    cache.clear();
    answer.arrive('b');
    await asked;
    expect([cache.peek('stored'), cache.peek('asked')]).toEqual([undefined, undefined]);
  });

  test('stays within its size and evicts the least recently used entries', async () => {
    const { cache } = setUp({ maxSize: 4 });
    await cache.load('one', () => Promise.resolve('aa'));
    await cache.load('two', () => Promise.resolve('bb'));
    cache.peek('one');
    await cache.load('three', () => Promise.resolve('cc'));
    await cache.load('large', () => Promise.resolve('ddddd'));
    expect([cache.peek('one'), cache.peek('two'), cache.peek('three'), cache.peek('large')]).toEqual([
      'aa',
      undefined,
      'cc',
      undefined,
    ]);
  });
});
