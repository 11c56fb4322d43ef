import { expect, test } from '@jest/globals';
import { askedIn } from './asked.js';

test.each([
  ['?ask=4', 4],
  ['?from=story&ask=12', 12],
  ['/m/noura?ask=4', 4],
  ['', undefined],
  ['?ask=0', undefined],
  ['?ask=4x', undefined],
  ['?task=4', undefined],
])('reads the question of %p', (search, id) => {
  expect(askedIn(search)).toBe(id);
});
