import { expect, test } from '@jest/globals';
import { searchableText } from './searchable-text.js';

test.each([
  ['أُحِبُّكَ يا أمّي', 'احبك يا امي'],
  ['مدرســة', 'مدرسه'],
  ['على', 'علي'],
  ['Café\n  NOIR ', 'cafe noir'],
  ['٧٠٠', '700'],
])('%s is found by %s', (written, lookedFor) => {
  expect(searchableText(written)).toBe(searchableText(lookedFor));
});
