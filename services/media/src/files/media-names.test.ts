import { expect, test } from '@jest/globals';
import { createMediaName, isMediaName } from './media-names.js';

test('creates valid and unique media names', () => {
  const names = Array.from({ length: 1_000 }, createMediaName);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !isMediaName(name))).toEqual([]);
});

test.each(['', 'x', 'a'.repeat(21), 'a'.repeat(23), `${'a'.repeat(21)}/`, `${'a'.repeat(21)}.`, `${'a'.repeat(22)}\n`])(
  '%j is not a valid media name',
  (candidate) => {
    expect(isMediaName(candidate)).toBe(false);
  },
);
