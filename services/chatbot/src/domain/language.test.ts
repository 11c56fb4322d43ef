import { expect, test } from '@jest/globals';
import { languageOf } from './language.js';

test.each([
  ['كيف أرسل؟', 'ar'],
  ['how do I send?', 'en'],
  ['ازاي اغير ال username', 'ar'],
  ['what does نجوى mean', 'en'],
])('%s is answered in %s', (text, language) => {
  expect(languageOf(text, language === 'ar' ? 'en' : 'ar')).toBe(language);
});

test.each(['', '؟!', '123'])('"%s", which has no letters, is answered in the language of whoever asks', (text) => {
  expect(languageOf(text, 'ar')).toBe('ar');
  expect(languageOf(text, 'en')).toBe('en');
});
