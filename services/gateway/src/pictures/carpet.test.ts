import { expect, test } from '@jest/globals';
import { MOST_KNOTS } from '@najwa/proto/http/client';
import { carpet, carpetSvg } from './carpet.js';

const ornaments = (count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    (0x9e3779b97f4a7c15n * BigInt(index + 1)).toString(16).slice(-16).padStart(16, '0'),
  );

/** Middle of each dot, which is a knot's own. */
const startsOf = (path: string): [number, number][] =>
  [...path.matchAll(/M(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

test.each([1, 5, 12, 40, 41, MOST_KNOTS])('%i messages are woven whole, one after another from the right', (count) => {
  const { width, height, dots } = carpet(ornaments(count), 6, 'rtl');
  expect(width / height).toBe(6);
  const places = startsOf(dots);
  expect(places).toHaveLength(count);
  for (const [x, y] of places) {
    expect([x > 0, x < width, y > 0, y < height]).toEqual([true, true, true, true]);
  }
  expect(places[0]?.[0]).toBeGreaterThan(width - (count > 40 ? 16 : 72));
});

test('a carpet grows: what was woven keeps its look and its order', () => {
  const [five, six] = [5, 6].map((count) => carpet(ornaments(count), 6, 'ltr'));
  expect(six?.knots.startsWith(five?.knots ?? '?')).toBe(true);
  expect(carpet(ornaments(6).reverse(), 6, 'ltr').knots).not.toBe(six?.knots);
  expect(six?.warp).toBe('');
  expect(five?.warp).not.toBe('');
});

test('two hundred knots take at most 12 kB', () => {
  expect(carpetSvg(carpet(ornaments(MOST_KNOTS), 6, 'rtl')).length).toBeLessThan(12_000);
});
