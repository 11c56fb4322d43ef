import { expect, test } from '@jest/globals';
import { parseByteRange } from './file-answer.js';

test.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=0-1000', { start: 0, end: 99 }],
  ['BYTES= 5-5 ', { start: 5, end: 5 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
  ['bytes=9-0', undefined],
  ['bytes=-', undefined],
  ['bytes=0-9,20-29', undefined],
  ['bytes=a-b', undefined],
  ['bytes 0-9', undefined],
  ['seconds=0-9', undefined],
  ['', undefined],
])('%j of a hundred bytes is %j', (header, expected) => {
  expect(parseByteRange(header, 100)).toEqual(expected);
});
