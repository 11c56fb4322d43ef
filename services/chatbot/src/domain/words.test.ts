import { describe, expect, test } from '@jest/globals';
import { foldText, stem, wordsOf } from './words.js';

test.each([
  ['إسم', 'اسم'],
  ['رسالة', 'رساله'],
  ['على', 'علي'],
  ['مُجْهُولٌ', 'مجهول'],
  ['صـــورة', 'صوره'],
  ['٧٠٠', '700'],
  ['۷۰۰', '700'],
  ['مشكووووور', 'مشكور'],
  ['Café', 'cafe'],
  ["don't", 'dont'],
])('%s is compared as %s', (written, folded) => {
  expect(foldText(written)).toBe(folded);
});

test('words are what stands between spaces and signs', () => {
  expect(wordsOf('كيف أرسل؟ (رسالة_1)')).toEqual(['كيف', 'ارسل', 'رساله', '1']);
});

describe('a stem', () => {
  test.each([
    ['الرسائل', 'رسائل'],
    ['وصفحتي', 'صفح'],
    ['messages', 'messag'],
    ['رد', 'رد'],
    ['is', 'is'],
  ])('of %s is %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });
});
