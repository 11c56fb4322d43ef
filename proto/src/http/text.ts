const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Code units that one character as a person sees it may take. The longest standard emoji, a kiss of two people with
 * skin tones, takes 15.
 */
const MAX_CODE_UNITS_PER_CHARACTER = 16;

/** A character that takes more than the bound holds this many code units in a row that are not plain letters. */
const MAY_HOLD_LONG_CHARACTER = /[^\n -~\u0621-\u063a\u0641-\u064a]{16}/;

/** C0 and C1 controls other than line feed and tab, lone surrogates, and non-characters. */
const FORBIDDEN = /(?![\t\n])\p{Cc}|\p{Surrogate}|\p{Noncharacter_Code_Point}/u;

/** Nothing that a person sees: white space, what is ignored in display, and the empty braille pattern. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Number of characters as a person sees them (extended grapheme clusters, UAX #29). */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

function hasLongCharacter(text: string): boolean {
  if (!MAY_HOLD_LONG_CHARACTER.test(text)) return false;
  for (const { segment } of segmenter.segment(text)) if (segment.length > MAX_CODE_UNITS_PER_CHARACTER) return true;
  return false;
}

export type TextFault = 'required' | 'too_long' | 'too_short' | 'forbidden_characters';

/** Bounds in characters as a person sees them. */
export interface TextBounds {
  min: number;
  max: number;
}

/**
 * Normalises a text that a person wrote: NFC, line ends as \n, trimmed, and empty if nobody would see anything.
 * Each character may take at most 16 code units, so that a pile of combining marks is too long.
 * The bounds in code units are checked first: normalising a long run of combining marks takes quadratic time.
 * @returns the text, or what is wrong with it
 */
export function cleanText(raw: string, { min, max }: TextBounds): { text: string } | { fault: TextFault } {
  const trimmed = raw.trim();
  if (trimmed.length > max * MAX_CODE_UNITS_PER_CHARACTER || hasLongCharacter(trimmed)) return { fault: 'too_long' };
  const text = INVISIBLE.test(trimmed) ? '' : trimmed.replaceAll('\r\n', '\n').normalize('NFC');
  if (text === '' && min > 0) return { fault: 'required' };
  if (FORBIDDEN.test(text)) return { fault: 'forbidden_characters' };
  // No character is shorter than a code unit, so most texts need no counting.
  if (text.length > max && countCharacters(text) > max) return { fault: 'too_long' };
  if (min > 1 && countCharacters(text) < min) return { fault: 'too_short' };
  return { text };
}
