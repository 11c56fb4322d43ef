import { expect, test } from '@jest/globals';
import { languageOf } from './language.js';

test.each([
  ['كيف أرسل؟', 'ar'],
  ['how do I send?', 'en'],
  ['ازاي اغير ال username', 'ar'],
  ['what does نجوى mean', 'en'],
  ['', 'ar'],
  ['؟!', 'ar'],
])('%s is answered in %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});
