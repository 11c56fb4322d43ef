import { describe, expect, test } from '@jest/globals';
import { firstName } from './first-name.js';
import { firstLetter } from './graphemes.js';
import { isolate, withoutBidiControls } from './bidi.js';

const CONTROLS = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

describe('a foreign text within a sentence', () => {
  test.each(CONTROLS.map((control) => [control.codePointAt(0)?.toString(16), control]))(
    'cannot be ended or turned around by U+%s',
    (_code, control) => {
      expect(isolate(`${control}نورة${control}`)).toBe('\u2068نورة\u2069');
    },
  );

  test('keeps the marks and joiners that belong to its words', () => {
    const text = 'می\u200cخواهم \u200fabc\u200e 👨‍👩‍👧';
    expect(withoutBidiControls(text)).toBe(text);
  });

  test('leaves a name its first word and its first letter', () => {
    expect(firstName('\u202e \u2069نورة العلي')).toBe('نورة');
    expect(firstLetter('\u202eنورة')).toBe('ن');
  });
});
