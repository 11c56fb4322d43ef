import {
  cleanText,
  countCharacters,
  splitCharacters,
  withPlainDigits,
  type TextBounds,
  type TextFault,
} from '@najwa/proto/http/client';

export { preview, withoutForbidden } from '@najwa/proto/http/client';

/** Bidi embeddings, overrides, isolates and their terminators. An unbalanced one affects the text after it. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** Removes bidi control characters. The letters still determine the direction. */
export const withoutBidiControls = (text: string) => text.replace(CONTROLS, '');

/** Isolates a user's text in the middle of a sentence, where no element can do it. */
export const isolate = (text: string) => `${FIRST_STRONG_ISOLATE}${withoutBidiControls(text)}${POP_ISOLATE}`;

/** Of a field: the direction of its text. An empty one has that of the page. */
export const directionOf = (text: string) => (text === '' ? undefined : 'auto');

/** Words that are never used alone as a name, such as عبد in عبد الرحمن. */
const PREFIXES = new Set(['عبد', 'أبو', 'ابو', 'أم', 'ام', 'ابن', 'بنت', 'آل', 'Abd', 'Abdul', 'Abu', 'Umm', 'Ibn']);

/** The name to use in a sentence. */
export function firstName(name: string): string {
  const [first = '', second] = withoutBidiControls(name).trim().split(/\s+/);
  return PREFIXES.has(first) && second !== undefined ? `${first} ${second}` : first;
}

/** Reads the digits of any keyboard: ٧ and ۷ are 7. NaN for anything else. */
export const readNumber = (text: string): number => Number(withPlainDigits(text).trim() || Number.NaN);

export interface WrittenText {
  /** The text as the server stores it. */
  content: string;
  /** Its length in characters as a person sees them. */
  used: number;
  /** Why the server would refuse it. Null if it would accept it. */
  fault: TextFault | null;
}

/** Checks a text with the server's own rules and counts it for a counter. Counting stops at ten times the maximum length. */
export function readText(raw: string, bounds: TextBounds): WrittenText {
  const result = cleanText(raw, bounds);
  if ('text' in result) return { content: result.text, used: countCharacters(result.text), fault: null };
  const { fault } = result;
  if (fault === 'required') return { content: '', used: 0, fault };
  const content = raw.trim();
  const counted = countCharacters(content.slice(0, 10 * bounds.max));
  return { content, used: fault === 'too_long' ? Math.max(counted, bounds.max + 1) : counted, fault };
}

/** On its own, this letter looks like the digit five. Write it with a connecting stroke. */
const ALONE: Partial<Record<string, string>> = { ه: 'هـ' };

/** The first grapheme cluster of a name. */
export function firstLetter(name: string): string {
  for (const { segment } of splitCharacters(withoutBidiControls(name).trim())) return ALONE[segment] ?? segment;
  return '';
}
