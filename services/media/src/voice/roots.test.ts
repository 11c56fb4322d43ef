import { expect, test } from '@jest/globals';
import { createRootFinder } from './roots.js';

/** Coefficients of a polynomial with these real roots and complex pairs, the latter by radius and angle. */
function polynomial(reals: number[], pairs: Root[]): Float64Array {
  const factors = [
    ...reals.map((root) => [1, -root]),
    ...pairs.map(([radius, angle]) => [1, -2 * radius * Math.cos(angle), radius * radius]),
  ];
  return Float64Array.from(
    factors.reduce(
      (product, factor) =>
        product
          .concat(factor.slice(1).map(() => 0))
          .map((_, power) => factor.reduce((sum, value, index) => sum + value * (product[power - index] ?? 0), 0)),
      [1],
    ),
  );
}

type Root = [number, number];

/** Sorts by real part, then imaginary part. Real parts that differ only by rounding are equal. */
const inOrder = (roots: Root[]): Root[] => roots.sort(([a, b], [c, d]) => (Math.abs(a - c) > 1e-6 ? a - c : b - d));

const found = ({ real, imaginary }: { real: Float64Array; imaginary: Float64Array }): Root[] =>
  inOrder(Array.from(real, (x, index): Root => [x, imaginary[index] ?? 0]));

const expected = (reals: number[], pairs: Root[]): Root[] =>
  inOrder([
    ...reals.map((root): Root => [root, 0]),
    ...pairs.flatMap(([radius, angle]) =>
      [1, -1].map((sign): Root => [radius * Math.cos(angle), sign * radius * Math.sin(angle)]),
    ),
  ]);

test.each<[string, number[], Root[]]>([
  ['real roots', [0.9, -0.5, 0.1, -0.95], []],
  [
    'complex pairs',
    [],
    [
      [0.98, 0.2],
      [0.95, 0.9],
      [0.9, 1.7],
      [0.99, 2.8],
    ],
  ],
  [
    'both',
    [0.3, -0.7],
    [
      [0.97, 0.4],
      [0.8, 2],
    ],
  ],
  [
    'roots close together',
    [],
    [
      [0.97, 0.4],
      [0.97, 0.41],
      [0.9, 0.405],
    ],
  ],
])('finds %s', (_name, reals, pairs) => {
  const finder = createRootFinder(reals.length + 2 * pairs.length);
  expect(finder.solve(polynomial(reals, pairs))).toBe(true);
  const wanted = expected(reals, pairs);
  found(finder.roots).forEach(([x, y], index) => {
    expect(x).toBeCloseTo(wanted[index]?.[0] ?? Number.NaN, 5);
    expect(y).toBeCloseTo(wanted[index]?.[1] ?? Number.NaN, 5);
  });
});

test('finds the roots of a series of polynomials', () => {
  const finder = createRootFinder(20);
  for (let round = 0; round < 50; round += 1) {
    const pairs = Array.from({ length: 10 }, (_, index): Root => [
      0.7 + 0.025 * ((index * 7 + round) % 11),
      0.15 + 0.28 * index + 0.002 * round,
    ]);
    expect(finder.solve(polynomial([], pairs))).toBe(true);
    const wanted = expected([], pairs);
    found(finder.roots).forEach(([x], index) => expect(x).toBeCloseTo(wanted[index]?.[0] ?? Number.NaN, 5));
  }
});

test('returns false if it does not converge, and solves the next polynomial', () => {
  const finder = createRootFinder(4);
  expect(finder.solve(Float64Array.of(1, Number.NaN, 0, 0, 0))).toBe(false);
  expect(finder.solve(polynomial([0.5, -0.5], [[0.9, 1]]))).toBe(true);
});
