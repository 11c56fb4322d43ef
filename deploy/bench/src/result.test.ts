import { expect, test } from '@jest/globals';
import { missingFigures } from './result.js';

test('a result with every figure misses none', () => {
  const aims = { ratio: { value: 0.7, aim: 0.9, better: 'higher' } };
  expect(missingFigures({ bench: 'visit', aims, rounds: [{ p50: 0 }], pinned: 'no' })).toEqual([]);
});

test('figures that are missing, or no numbers, are named by their paths', () => {
  const aims = { ratio: { value: Number.NaN, aim: 0.9, better: 'higher' } };
  expect(missingFigures({ aims, rounds: [{ p50: 1 }, { p50: Infinity }], bytes: undefined, cores: null })).toEqual([
    'aims.ratio.value',
    'rounds.1.p50',
    'bytes',
    'cores',
  ]);
});
