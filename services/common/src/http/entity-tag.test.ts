import { expect, test } from '@jest/globals';
import { entityTagOf, hasEntityTag, matchesEntityTag } from './entity-tag.js';

test('a tag changes with the body', () => {
  expect(entityTagOf(Buffer.from('a'))).toMatch(/^"[\w-]{27}"$/);
  expect(entityTagOf(Buffer.from('a'))).toBe(entityTagOf(Buffer.from('a')));
  expect(entityTagOf(Buffer.from('a'))).not.toBe(entityTagOf(Buffer.from('b')));
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match %s', (header, matches) => expect(matchesEntityTag(header, '"a"')).toBe(matches));

test.each([
  ['"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['W/"a"', false],
  ['"b"', false],
  ['', false],
])('If-Match %s', (header, matches) => expect(hasEntityTag(header, '"a"')).toBe(matches));
