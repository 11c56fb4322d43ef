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
  expect(ornament('ba2945b603ffaf58')).toEqual({
    d: 'M32 3l29 29 -29 29 -29-29zM27.6 27.6h8.8v8.8h-8.8zM52.4 30.9l1.1 1.1 -1.1 1.1 -1.1-1.1zM32 51.3l1.1 1.1 -1.1 1.1 -1.1-1.1zM11.6 30.9l1.1 1.1 -1.1 1.1 -1.1-1.1z',
    accent: 'M32 10.3l3.1 3.1 -3.1 3.1 -3.1-3.1z',
    isFramed: true,
    bowls: 0,
    dotAt: 0,
  });
  const { accent, d: _, ...words } = ornament('ba2945b603ffaf56');
  expect(accent).toBe('M14.5 11.4l3.1 3.1 -3.1 3.1 -3.1-3.1z');
  expect(words).toEqual({ isFramed: false, bowls: 4, dotAt: 7 });
  const all = createHash('sha256');
  for (const bits of BITS) all.update(JSON.stringify(ornament(bits)));
  expect(all.digest('hex')).toBe('8bd93df648fd41eb92573febd6865702f9c771dd3d3c03d007132bbb63c550ac');
});

test('has four dots that are alike but for its own, or its own alone', () => {
  const small = BITS.map((bits) => ornament(bits).d.match(/l1\.1 1\.1/g)?.length ?? 0);
  // The middle of some has four more.
  expect([...new Set(small)].sort()).toEqual([0, 3, 7]);
});

test('draws thousands of messages unlike each other, within the box', () => {
  const drawn = BITS.map((bits) => ornament(bits));
  expect(new Set(drawn.map(({ d, accent }) => d + accent)).size).toBeGreaterThan(3000);
  const isWithin = (place: string | undefined) => Number(place) > 0 && Number(place) < 64;
  const outside = drawn.filter(
    ({ d, accent }) =>
      accent === '' ||
      ![...`${d}${accent}`.matchAll(/M(-?[\d.]+) ?(-?[\d.]+)/g)].every(([, x, y]) => isWithin(x) && isWithin(y)),
  );
  expect(outside).toEqual([]);
});
