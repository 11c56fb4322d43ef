import { expect, test } from '@jest/globals';
import { readCookie } from './cookies.js';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['a=1', '1'],
  ['b=2; a=1', '1'],
  ['b=2;a=1 ;c=3', '1'],
  ['aa=2; b=a=3', undefined],
  ['a=1; a=2', '1'],
  ['a=', ''],
  ['a=x=y', 'x=y'],
])('of %p, the cookie named a is %p', (header, value) => expect(readCookie(header, 'a')).toBe(value));
