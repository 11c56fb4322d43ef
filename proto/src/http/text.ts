interface Character {
  segment: string;
  index: number;
}

/** A letter with marks, a flag, or an emoji sequence. */
const CHARACTER = /\r\n|\p{RI}{2}|.(?:[\p{M}\p{EMod}\u{e0020}-\u{e007f}]|\u200d\p{ExtPict})*/gsu;

/** For browsers without a segmenter, such as Firefox before 125. Differs in rare scripts only. */
export const splitByPattern = (text: string): Iterable<Character> =>
  Array.from(text.matchAll(CHARACTER), ({ 0: segment, index }) => ({ segment, index }));

/** One character each in any context. */
const PLAIN = String.raw`\n -~\u0621-\u063a\u0641-\u064a`;
const IS_PLAIN = new RegExp(`^[${PLAIN}]*$`);

let segmenter: { segment: (text: string) => Iterable<Character> } | undefined;

/** Extended grapheme clusters (UAX #29). */
export function splitCharacters(text: string): Iterable<Character> {
  if (IS_PLAIN.test(text)) return Array.from(text, (segment, index) => ({ segment, index }));
  const { Segmenter } = Intl as Partial<typeof Intl>;
  // Lazy: it costs 200 ms on a slow phone.
  segmenter ??= Segmenter === undefined ? { segment: splitByPattern } : new Segmenter('und');
  return segmenter.segment(text);
}

/** Code units of one character. The longest standard emoji has 15. */
const MAX_CODE_UNITS_PER_CHARACTER = 16;

/** V8 takes quadratic time for long texts: 0.6 s for 32,000 code units, 0.02 s in windows. */
const WINDOW = 256;

/** 16 code units that are no plain letters may form a longer character. */
const MAY_HOLD_LONG_CHARACTER = new RegExp(`[^${PLAIN}]{16}`);

/** C0 and C1 controls but line feed and tab, lone surrogates, non-characters. */
const FORBIDDEN = /(?![\t\n])\p{Cc}|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu;

/** White space, default-ignorable code points, the empty braille pattern. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Characters, and code units of the longest. Longer ones than the window count as several. */
function measure(text: string): [count: number, longest: number] {
  if (IS_PLAIN.test(text)) return [text.length, 1];
  let count = 0;
  let longest = 0;
  for (let from = 0; from < text.length;)
    for (const { segment, index } of splitCharacters(text.slice(from, from + WINDOW))) {
      const { length } = segment;
      // May continue after the window.
      if (index > 0 && index + length > WINDOW - 2) break;
      count += 1;
      from += length;
      longest = Math.max(longest, length);
    }
  return [count, longest];
}

/** Extended grapheme clusters (UAX #29). */
export const countCharacters = (text: string): number => measure(text)[0];

const hasLongCharacter = (text: string): boolean =>
  MAY_HOLD_LONG_CHARACTER.test(text) && measure(text)[1] > MAX_CODE_UNITS_PER_CHARACTER;

/** Word processors write a vertical tab or U+2028. */
const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** A bullet of a word processor's own font, which other fonts do not have. */
const BULLET = /\uf0b7/g;

const withPlainSigns = (text: string): string => text.replace(LINE_BREAK, '\n').replace(BULLET, '•');

/** More than two blank lines in a row would fill screens. */
const MANY_BLANK_LINES = /\n(?:[\t\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]*\n){3,}/gu;

export const withoutForbidden = (text: string): string => withPlainSigns(text).replace(FORBIDDEN, '');

export type TextFault = 'required' | 'too_long' | 'too_short' | 'forbidden_characters';

/** In characters (grapheme clusters). */
export interface TextBounds {
  min: number;
  max: number;
}

/**
 * NFC, LF line breaks, • bullets, at most two blank lines in a row, trimmed; empty if nothing is visible.
 * A character of more than 16 code units (piled marks) makes the text too long. Code units are checked first, because
 * normalising long runs of marks takes quadratic time.
 */
export function cleanText(raw: string, { min, max }: TextBounds): { text: string } | { fault: TextFault } {
  const trimmed = raw.trim();
  if (trimmed.length > max * MAX_CODE_UNITS_PER_CHARACTER || hasLongCharacter(trimmed)) return { fault: 'too_long' };
  const text = INVISIBLE.test(trimmed)
    ? ''
    : withPlainSigns(trimmed).replace(MANY_BLANK_LINES, '\n\n\n').normalize('NFC');
  if (text === '' && min > 0) return { fault: 'required' };
  if (withoutForbidden(text) !== text) return { fault: 'forbidden_characters' };
  // Most texts need no counting.
  if (text.length > max && countCharacters(text) > max) return { fault: 'too_long' };
  if (min > 1 && countCharacters(text) < min) return { fault: 'too_short' };
  return { text };
}
