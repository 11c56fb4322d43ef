import { describe, expect, test } from '@jest/globals';
import { readCode, withPlainDigits } from './codes.js';
import { preview } from './preview.js';
import { cleanText, countCharacters, splitByPattern } from './text.js';

const bounds = { min: 1, max: 700 };

describe('countCharacters', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['سلام', 4],
    ['سَلَامٌ', 4],
    ['👨‍👩‍👧‍👦', 1],
    ['🇸🇦🇪🇬', 2],
    ['👍🏽', 1],
    ['e\u0301', 1],
    ['\r\n', 1],
    ['لا', 2],
  ])('counts %p as a person does: %p', (text, count) => {
    expect(countCharacters(text)).toBe(count);
  });
});

describe('cleanText', () => {
  test('trims, composes and keeps line breaks as one character', () => {
    expect(cleanText('  e\u0301t\u00e9\r\nsoir \n', bounds)).toEqual({ text: 'été\nsoir' });
  });

  test('reads the bullet of a word processor', () => {
    expect(cleanText('\uf0b7 one\n\uf0b7 two', bounds)).toEqual({ text: '• one\n• two' });
  });

  test.each([
    ['a control character', 'a\u0000b'],
    ['an escape', 'a\u001b[31mb'],
    ['a C1 control', 'a\u009bb'],
    ['a lone surrogate', 'a\ud800b'],
    ['a noncharacter', 'a\uffffb'],
  ])('refuses %s', (_name, text) => {
    expect(cleanText(text, bounds)).toEqual({ fault: 'forbidden_characters' });
  });

  test.each(['\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])('reads %j as a line break', (character) => {
    expect(cleanText(`a${character}b`, bounds)).toEqual({ text: 'a\nb' });
  });

  test.each([
    ['line feeds', '\n'.repeat(698)],
    ['spaces between', ' \n'.repeat(349)],
    ['characters between that nobody sees', '\u200f\u3164\n\u2800\t\u00a0\n'.repeat(50)],
    ['line breaks of all kinds', '\r\n\v\u2028\u2029\f'.repeat(50)],
  ])('keeps two blank lines of many, with %s', (_how, between) => {
    expect(cleanText(`a\n${between}\n  b\n\n\nc\n\nd`, bounds)).toEqual({ text: 'a\n\n\n  b\n\n\nc\n\nd' });
  });

  test('looks for blank lines in no more time than the text is long', () => {
    expect(
      cleanText(`${' '.repeat(50_000)}${'\n '.repeat(50_000)}${'\u200b'.repeat(50_000)}`, { min: 0, max: 200_000 }),
    ).toEqual({ text: '' });
    const spaces = `a${'\n\n a'.repeat(20_000)}${`\n${' '.repeat(50_000)}a`.repeat(2)}`;
    expect(cleanText(spaces, { min: 1, max: 200_000 })).toEqual({ text: spaces });
  });

  test('takes tabs, line feeds and joiners', () => {
    expect(cleanText('a\tb\nc\u200d', bounds)).toEqual({ text: 'a\tb\nc\u200d' });
  });

  test('takes as many family emojis as letters', () => {
    const families = '👨‍👩‍👧‍👦'.repeat(700);
    expect(cleanText(families, bounds)).toEqual({ text: families });
    expect(cleanText(`${families}a`, bounds)).toEqual({ fault: 'too_long' });
  });

  test.each(['', ' ', '\n\t\r\n', '\u00a0\u3000', '\u200b', '\u200f \u2060', '\u00ad', '\u3164', '\u2800'])(
    'misses a text where there is only %j',
    (text) => {
      expect(cleanText(text, bounds)).toEqual({ fault: 'required' });
      expect(cleanText(text, { ...bounds, min: 0 })).toEqual({ text: '' });
    },
  );

  test('calls a text too short that has fewer characters than it must', () => {
    expect(cleanText('ab', { ...bounds, min: 3 })).toEqual({ fault: 'too_short' });
  });

  test.each([
    ['11,000 combining marks', '\u0301'.repeat(11_000)],
    ['a letter under 16 marks', `text a${'\u0301'.repeat(16)} text`],
    ['a chain of joined emojis', Array.from({ length: 8 }, () => '👨').join('\u200d')],
  ])('refuses %s, which is one character to a person', (_name, text) => {
    expect(cleanText(text, bounds)).toEqual({ fault: 'too_long' });
  });

  test.each(['👩🏽‍❤️‍💋‍👨🏿', 'ٱلسَّلَامُ عَلَيْكُمْ', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'क्ष्म्य'])('takes %s', (text) => {
    expect(cleanText(text, bounds)).toEqual({ text });
  });

  test('refuses a million combining marks without normalising them', () => {
    expect(cleanText(`a${'\u0301'.repeat(1_000_000)}`, bounds)).toEqual({ fault: 'too_long' });
  });

  // Split as a whole, such a text takes minutes.
  test.each(['漢', 'é', '👩🏽‍🎨', '🇪🇬', 'ش\u0651'])('counts a long text of %s', (character) => {
    const text = character.repeat(100_000);
    expect(countCharacters(text)).toBe(100_000);
    expect(cleanText(text, { min: 1, max: 100_000 })).toEqual({ text: text.normalize('NFC') });
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])('splits a text as a whole one is split, after %s letters', (letters) => {
    const text = `${'x'.repeat(letters)}${'👩🏽‍🎨👨‍👩‍👧‍👦🇪🇬क्ष्म्यa\u0301한국\r\n😀'.repeat(80)}`;
    const whole = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)];
    expect(countCharacters(text)).toBe(whole.length);
  });

  test('splits without a segmenter as one does', () => {
    const text = 'ٱلسَّلَامُ\r\n عَلَيْكُمْ 👩🏽‍🎨👨‍👩‍👧‍👦🇪🇬🇸🇦❤️ a\u0301漢🏴󠁧󠁢󠁥󠁮󠁧󠁿\n😀';
    const whole = [...new Intl.Segmenter('und').segment(text)];
    expect([...splitByPattern(text)]).toEqual(whole.map(({ segment, index }) => ({ segment, index })));
  });
});

test.each([
  ['123456', '123456'],
  [' 123 456\n', '123456'],
  ['١٢٣٤٥٦', '123456'],
  ['۰۱۲-۷۸۹', '012789'],
  ['\u200f١٢٣\u00a0٤۵۶\u200e', '123456'],
  ['H4KQ-۷MXW', 'h4kq7mxw'],
  ['h4kq–7mxw', 'h4kq7mxw'],
])('reads the code %j', (typed, code) => {
  expect(readCode(typed)).toBe(code);
});

test('reads the digits of three keyboards', () => {
  expect(withPlainDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ０１２３４５６７８９ 0')).toBe('0123456789 0123456789 0123456789 0');
});

test('cuts a preview between words, or else between characters, with an ellipsis', () => {
  expect(preview('before it all ends', 12)).toBe('before it…');
  expect(preview('before it all ends', 13)).toBe('before it all…');
  expect(preview('a beginninglesswordhere', 12)).toBe('a beginningl…');
  expect(preview('👨‍👩‍👧‍👦'.repeat(81), 80)).toBe(`${'👨‍👩‍👧‍👦'.repeat(80)}…`);
  expect(preview('👨‍👩‍👧‍👦'.repeat(80), 80)).toBe('👨‍👩‍👧‍👦'.repeat(80));
});
