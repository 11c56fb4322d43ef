import { expect, test } from '@jest/globals';
import { languageOf } from './language.js';

test.each([
  ['كيف أرسل؟', 'ar'],
  ['how do I send?', 'en'],
  ['ازاي اغير ال username', 'ar'],
  ['what does نجوى mean', 'en'],
])('detects the language of %s as %s', (text, language) => {
  expect(languageOf(text, language === 'ar' ? 'en' : 'ar')).toBe(language);
});

test.each(['', '؟!', '123'])('falls back to the given language for "%s", which has no letters', (text) => {
  expect(languageOf(text, 'ar')).toBe('ar');
  expect(languageOf(text, 'en')).toBe('en');
});
