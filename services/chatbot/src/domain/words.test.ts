import { describe, expect, test } from '@jest/globals';
import { stem, wordsOf } from './words.js';

test('words are what stands between spaces and signs', () => {
  expect(wordsOf('كيف أرسل؟ (رسالة_1)')).toEqual(['كيف', 'ارسل', 'رساله', '1']);
});

test('words have no apostrophe, and no letter for emphasis', () => {
  expect(wordsOf('مشكووووور don’t soooo good')).toEqual(['مشكور', 'dont', 'so', 'good']);
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
