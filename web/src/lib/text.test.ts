import { describe, expect, test } from '@jest/globals';
import { firstLetter, firstName, isolate, preview, readText, withoutBidiControls, withoutForbidden } from './text.js';

const CONTROLS = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

describe('isolate()', () => {
  test.each(CONTROLS.map((control) => [control.codePointAt(0)?.toString(16), control]))(
    'removes the bidi control U+%s',
    (_code, control) => {
      expect(isolate(`${control}نورة${control}`)).toBe('\u2068نورة\u2069');
    },
  );

  test('isolate() keeps marks and joiners', () => {
    const text = 'می\u200cخواهم \u200fabc\u200e 👨‍👩‍👧';
    expect(withoutBidiControls(text)).toBe(text);
  });

  test('isolate() does not affect the first word or letter of a name', () => {
    expect(firstName('\u202e \u2069نورة العلي')).toBe('نورة');
    expect(firstLetter('\u202eنورة')).toBe('ن');
  });
});

test.each([
  ['نورة العلي', 'نورة'],
  ['عبد الرحمن السالم', 'عبد الرحمن'],
  ['أبو خالد', 'أبو خالد'],
  ['Noura Alali', 'Noura'],
  ['عبد', 'عبد'],
])('shortens %s to the name used alone', (name, called) => {
  expect(firstName(name)).toBe(called);
});

const MESSAGE = { min: 1, max: 700 };

describe('readText()', () => {
  test.each([
    ['مَرْحَبًا', 5],
    ['👨‍👩‍👧‍👦❤️', 2],
    ['  e\u0301  ', 1],
    ['a'.repeat(700), 700],
  ])('counts %j as %d characters', (text, used) => {
    expect(readText(text, MESSAGE)).toMatchObject({ used, fault: null });
  });

  test('readText() returns the text as the server stores it', () => {
    expect(readText('  e\u0301\r\n!  ', MESSAGE).content).toBe('é\n!');
  });

  test('readText() stops counting soon after the limit', () => {
    expect(readText('a'.repeat(100_000), MESSAGE)).toMatchObject({ used: 7000, fault: 'too_long' });
  });

  test('readText() reports a long run of combining marks as too long', () => {
    expect(readText(`a${'\u0301'.repeat(300_000)}`, MESSAGE)).toMatchObject({ used: 701, fault: 'too_long' });
  });

  test('readText() removes forbidden characters and keeps joiners, line breaks and marks', () => {
    expect(withoutForbidden('a\u0000b\u001bc\r\nd\ud800')).toBe('abc\nd');
    expect(withoutForbidden('one\vtwo\fthree\u0085four\u2028five\rsix')).toBe('one\ntwo\nthree\nfour\nfive\nsix');
    expect(withoutForbidden('👨‍👩‍👧‍👦\tمَرحبا\n\u200f')).toBe('👨‍👩‍👧‍👦\tمَرحبا\n\u200f');
  });

  test('firstLetter() returns a whole grapheme cluster', () => {
    expect(firstLetter(' نورة')).toBe('ن');
    expect(firstLetter('👩🏽‍🎨 Art')).toBe('👩🏽‍🎨');
    expect(firstLetter('')).toBe('');
    expect(firstLetter('هند')).toBe('هـ');
  });
});

describe('preview()', () => {
  test('preview() returns a short text unchanged', () => {
    expect(preview('مَرْحَبًا', 5)).toBe('مَرْحَبًا');
    expect(preview('', 5)).toBe('');
  });

  test('preview() cuts between grapheme clusters and adds an ellipsis', () => {
    expect(preview('مَرْحَبًا', 4)).toBe('مَرْحَبً…');
    expect(preview('👨‍👩‍👧‍👦❤️👍🏽', 2)).toBe('👨‍👩‍👧‍👦❤️…');
    expect(preview('to say it', 3)).toBe('to…');
  });
});
