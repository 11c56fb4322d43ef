const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** How many code units one character as a person sees it may take on average before a text is refused unread. */
const CODE_UNITS_PER_CHARACTER = 16;

/** Number of characters as a person sees them (extended grapheme clusters, UAX #29). */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

/** C0 and C1 controls other than line feed and tab, lone surrogates, and non-characters. */
const FORBIDDEN = /(?![\t\n])\p{Cc}|\p{Surrogate}|\p{Noncharacter_Code_Point}/u;

/** Nothing that a person sees: white space, what is ignored in display, and the empty braille pattern. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export type TextFault = 'required' | 'too_long' | 'too_short' | 'forbidden_characters';

export interface TextBounds {
  min: number;
  max: number;
}

/**
 * Brings a text that a person wrote into the form in which it is kept: NFC, line ends as \n, trimmed, and empty where nobody
 * would see anything.
 * A bound in code units comes first, since normalising a long run of combining marks takes quadratic time.
 * @returns the text, or what is wrong with it.
 */
export function cleanText(raw: string, { min, max }: TextBounds): { text: string } | { fault: TextFault } {
  const trimmed = raw.trim();
  if (trimmed.length > max * CODE_UNITS_PER_CHARACTER) return { fault: 'too_long' };
  const text = UNSEEN.test(trimmed) ? '' : trimmed.replaceAll('\r\n', '\n').normalize('NFC');
  if (text === '' && min > 0) return { fault: 'required' };
  if (FORBIDDEN.test(text)) return { fault: 'forbidden_characters' };
  // No character is shorter than a code unit, so that most texts need no counting.
  if (text.length > max && countCharacters(text) > max) return { fault: 'too_long' };
  if (min > 1 && countCharacters(text) < min) return { fault: 'too_short' };
  return { text };
}
