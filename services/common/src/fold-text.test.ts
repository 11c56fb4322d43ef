import { expect, test } from '@jest/globals';
import { foldText } from './fold-text.js';

test.each([
  ['إسم', 'اسم'],
  ['أُحِبُّكَ يا أمّي', 'احبك يا امي'],
  ['رسالة', 'رساله'],
  ['على', 'علي'],
  ['مُجْهُولٌ', 'مجهول'],
  ['صـــورة', 'صوره'],
  ['کیف', 'كيف'],
  ['ٱلسلام', 'السلام'],
  ['چاي پيتزا ڤيلا گمر', 'جاي بيتزا فيلا كمر'],
  ['٧٠٠', '700'],
  ['۷۰۰', '700'],
  ['𝟕००', '700'],
  ['Café NOIR', 'cafe noir'],
])('%s is folded to %s', (written, folded) => {
  expect(foldText(written)).toBe(folded);
});

test('folding is idempotent', () => {
  for (const text of ['أُحِبُّكَ', 'Straße ٣', 'مدرســة']) expect(foldText(foldText(text))).toBe(foldText(text));
});
