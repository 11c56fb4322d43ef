import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { ornament } from './index.js';

/** Well mixed: the finaliser of splitmix64 over a count. */
function bitsFor(count: number): string {
  const mask = (1n << 64n) - 1n;
  let bits = (BigInt(count) * 0x9e3779b97f4a7c15n) & mask;
  bits = ((bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  bits = ((bits ^ (bits >> 27n)) * 0x94d049bb133111ebn) & mask;
  return (bits ^ (bits >> 31n)).toString(16).padStart(16, '0');
}

const BITS = Array.from({ length: 5000 }, (_, index) => bitsFor(index + 1));

test('draws what was drawn before, so that people recognise their message', () => {
  expect(ornament('cd33ae033c0bc194')).toEqual({
    d: 'M56.6 16.6a29 29 0 0 1 0 30.7M47.4 56.6a29 29 0 0 1-30.7 0M7.4 47.4a29 29 0 0 1 0-30.7M16.6 7.4a29 29 0 0 1 30.7 0M40.3 20.1a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0M40.3 43.9a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0M16.5 20.1a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0M32 28.9l3.1 3.1 -3.1 3.1 -3.1-3.1z',
    accent: 'M32 12.5l2.1 2.1 -2.1 2.1 -2.1-2.1z',
    isFramed: true,
    bowls: 0,
    dotAt: 0,
  });
  const { d, accent, ...words } = ornament('ba2945b603ffaf56');
  expect(accent).toBe('M49.4 46.3l3.1 3.1 -3.1 3.1 -3.1-3.1z');
  expect(words).toEqual({ isFramed: false, bowls: 10, dotAt: 3 });
  // Only a bowl is half a circle.
  expect(d.match(/a[\d.]+ [\d.]+ 0 0 [01]/g)).toHaveLength(words.bowls);
  const all = createHash('sha256');
  for (const bits of BITS) all.update(JSON.stringify(ornament(bits)));
  expect(all.digest('hex')).toBe('8346414b2540fed0926649fde9d3eafb625e51c03f1fb0eac59576d5ebf3d834');
});

test('draws thousands of messages unlike each other, within the box', () => {
  const drawn = BITS.map((bits) => ornament(bits));
  expect(new Set(drawn.map(({ d, accent }) => d + accent)).size).toBeGreaterThan(4500);
  const isWithin = (place: string | undefined) => Number(place) > 0 && Number(place) < 64;
  const outside = drawn.filter(
    ({ d, accent }) =>
      accent === '' ||
      ![...`${d}${accent}`.matchAll(/M(-?[\d.]+) ?(-?[\d.]+)/g)].every(([, x, y]) => isWithin(x) && isWithin(y)),
  );
  expect(outside).toEqual([]);
});
