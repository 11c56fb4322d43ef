import { describe, expect, test } from '@jest/globals';
import { firstName } from './first-name.js';
import { firstLetter } from './graphemes.js';
import { isolate, withoutBidiControls } from './bidi.js';

const CONTROLS = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

describe('isolate()', () => {
  test.each(CONTROLS.map((control) => [control.codePointAt(0)?.toString(16), control]))(
    'removes the bidi control U+%s',
    (_code, control) => {
      expect(isolate(`${control}نورة${control}`)).toBe('\u2068نورة\u2069');
    },
  );

  test('keeps marks and joiners', () => {
    const text = 'می\u200cخواهم \u200fabc\u200e 👨‍👩‍👧';
    expect(withoutBidiControls(text)).toBe(text);
  });

  test('does not affect the first word or letter of a name', () => {
    expect(firstName('\u202e \u2069نورة العلي')).toBe('نورة');
    expect(firstLetter('\u202eنورة')).toBe('ن');
  });
});
