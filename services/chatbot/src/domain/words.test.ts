import { describe, expect, test } from '@jest/globals';
import { formsOf, stem, wordsOf } from './words.js';

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

describe('a word may be', () => {
  test.each([
    ['هتعرفني', 'عرف'],
    ['رسالتي', 'رساله'],
    ['بيدخلش', 'دخل'],
    ['كيبان', 'بان'],
    ['recordings', 'record'],
    ['deleting', 'delete'],
    ['stopped', 'stop'],
  ])('%s with something written onto %s', (word, form) => {
    expect(formsOf(word)).toContain(form);
  });

  test('itself first', () => {
    expect(formsOf('رسالتي')[0]).toBe('رسالتي');
    expect(formsOf('deleting')[0]).toBe('deleting');
  });
});
