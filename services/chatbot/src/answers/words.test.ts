import { describe, expect, test } from '@jest/globals';
import { formsOf, stem, wordsOf } from './words.js';

test('splits a text at spaces and punctuation', () => {
  expect(wordsOf('كيف أرسل؟ (رسالة_1)')).toEqual(['كيف', 'ارسل', 'رساله', '1']);
});

test('removes apostrophes and letters repeated for emphasis', () => {
  expect(wordsOf('مشكووووور don’t soooo good')).toEqual(['مشكور', 'dont', 'so', 'good']);
});

test.each([
  ['الرسائل', 'رسايل'],
  ['وصفحتي', 'صفحت'],
  ['messages', 'messag'],
  ['رد', 'رد'],
  ['is', 'is'],
])('stems %s to %s', (word, expected) => {
  expect(stem(word)).toBe(expected);
});

describe('base forms', () => {
  test.each([
    ['هتعرفني', 'عرف'],
    ['رسالتي', 'رساله'],
    ['بيدخلش', 'دخل'],
    ['كيبان', 'بان'],
    ['recordings', 'record'],
    ['deleting', 'delete'],
    ['stopped', 'stop'],
    ['logs', 'log'],
  ])('base forms of %s include %s', (word, form) => {
    expect(formsOf(word)).toContain(form);
  });

  test('base forms start with the word itself', () => {
    expect(formsOf('رسالتي')[0]).toBe('رسالتي');
    expect(formsOf('deleting')[0]).toBe('deleting');
  });
});
