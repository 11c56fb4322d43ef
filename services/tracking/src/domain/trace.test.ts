import { expect, test } from '@jest/globals';
import { readLanguages } from './trace.js';

test.each([
  ['ar-EG,ar;q=0.9,en;q=0.8', ['ar-EG', 'ar', 'en']],
  ['en;q=0.5, ar', ['ar', 'en']],
  ['*;q=0.5', []],
  ['fr;q=0', []],
  ['', []],
  ['<script>,en', ['en']],
  [Array.from({ length: 20 }, () => 'en').join(), Array.from({ length: 10 }, () => 'en')],
])('the header %p names the languages %j', (header, languages) => {
  expect(readLanguages(header)).toEqual(languages);
});
