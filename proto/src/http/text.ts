interface Character {
  segment: string;
  index: number;
}

/** A letter with its marks, a flag, or an emoji with its parts. */
const CHARACTER = /\r\n|\p{RI}{2}|.(?:[\p{M}\p{EMod}\u{e0020}-\u{e007f}]|\u200d\p{ExtPict})*/gsu;

/** For browsers without a segmenter, such as Firefox before 125. It differs from one in rare scripts only. */
export const splitByPattern = (text: string): Iterable<Character> =>
  Array.from(text.matchAll(CHARACTER), ({ 0: segment, index }) => ({ segment, index }));

/** Code units that are a character each, whatever stands beside them: a class of characters. */
const PLAIN = String.raw`\n -~\u0621-\u063a\u0641-\u064a`;
const IS_PLAIN = new RegExp(`^[${PLAIN}]*$`);

let segmenter: { segment: (text: string) => Iterable<Character> } | undefined;

/** Splits a text into characters as a person sees them: extended grapheme clusters (UAX #29). */
export function splitCharacters(text: string): Iterable<Character> {
  if (IS_PLAIN.test(text)) return Array.from(text, (segment, index) => ({ segment, index }));
  const { Segmenter } = Intl as Partial<typeof Intl>;
  // Made for the first text that needs it: that takes a slow phone a fifth of a second.
  segmenter ??= Segmenter === undefined ? { segment: splitByPattern } : new Segmenter('und');
  return segmenter.segment(text);
}

/**
 * Maximum code units of one character (grapheme cluster). The longest standard emoji, a kiss of two people with skin
 * tones, has 15.
 */
const MAX_CODE_UNITS_PER_CHARACTER = 16;

/** Code units that are split at once. V8 takes quadratic time for a long text: 0.6 s for 32,000, instead of 0.02 s. */
const WINDOW = 256;

/** Finds runs that may contain a character above the maximum: code units in a row that are not plain letters. */
const MAY_HOLD_LONG_CHARACTER = new RegExp(`[^${PLAIN}]{16}`);

/** C0 and C1 controls other than line feed and tab, lone surrogates, and non-characters. */
const FORBIDDEN = /(?![\t\n])\p{Cc}|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu;

/** Invisible characters: white space, default-ignorable code points and the empty braille pattern. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Number of characters, and the code units of the longest. One that is longer than the window counts as several. */
function measure(text: string): [count: number, longest: number] {
  if (IS_PLAIN.test(text)) return [text.length, 1];
  let count = 0;
  let longest = 0;
  for (let from = 0; from < text.length;)
    for (const { segment, index } of splitCharacters(text.slice(from, from + WINDOW))) {
      const { length } = segment;
      // Its last character, or its last code point, may go on after the window.
      if (index > 0 && index + length > WINDOW - 2) break;
      count += 1;
      from += length;
      longest = Math.max(longest, length);
    }
  return [count, longest];
}

/** Number of characters: extended grapheme clusters (UAX #29). */
export const countCharacters = (text: string): number => measure(text)[0];

const hasLongCharacter = (text: string): boolean =>
  MAY_HOLD_LONG_CHARACTER.test(text) && measure(text)[1] > MAX_CODE_UNITS_PER_CHARACTER;

/** Line breaks of other systems and programs. Word processors write a vertical tab or U+2028. */
const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

const withPlainLineBreaks = (text: string): string => text.replace(LINE_BREAK, '\n');

/** Lines in which nothing is visible, beyond two in a row: a text of line feeds would fill many screens. */
const MANY_BLANK_LINES = /\n(?:[\t\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]*\n){3,}/gu;

/** Removes the characters that no text may have. */
export const withoutForbidden = (text: string): string => withPlainLineBreaks(text).replace(FORBIDDEN, '');

export type TextFault = 'required' | 'too_long' | 'too_short' | 'forbidden_characters';

/** Limits in characters (grapheme clusters). */
export interface TextBounds {
  min: number;
  max: number;
}

/**
 * Normalises user text: NFC, line breaks as \n, at most two blank lines in a row, trimmed, and empty if nothing is
 * visible.
 * Each character may have at most 16 code units, so a pile of combining marks is too long.
 * The limits in code units are checked first, because normalising long runs of combining marks takes quadratic time.
 * @returns the text, or its fault
 */
export function cleanText(raw: string, { min, max }: TextBounds): { text: string } | { fault: TextFault } {
  const trimmed = raw.trim();
  if (trimmed.length > max * MAX_CODE_UNITS_PER_CHARACTER || hasLongCharacter(trimmed)) return { fault: 'too_long' };
  const text = INVISIBLE.test(trimmed)
    ? ''
    : withPlainLineBreaks(trimmed).replace(MANY_BLANK_LINES, '\n\n\n').normalize('NFC');
  if (text === '' && min > 0) return { fault: 'required' };
  if (withoutForbidden(text) !== text) return { fault: 'forbidden_characters' };
  // A character has at least one code unit, so most texts need no counting.
  if (text.length > max && countCharacters(text) > max) return { fault: 'too_long' };
  if (min > 1 && countCharacters(text) < min) return { fault: 'too_short' };
  return { text };
}
