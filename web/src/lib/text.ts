import {
  cleanText,
  countCharacters,
  splitCharacters,
  withPlainDigits,
  type TextBounds,
  type TextFault,
} from '@najwa/proto/http/client';

export { preview, withoutForbidden } from '@najwa/proto/http/client';

/** Bidi embeddings, overrides, isolates and terminators. An unbalanced one affects the text after it. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** The letters still determine the direction. */
export const withoutBidiControls = (text: string) => text.replace(CONTROLS, '');

/** For user text within a sentence, where no element can isolate it. */
export const isolate = (text: string) => `${FIRST_STRONG_ISOLATE}${withoutBidiControls(text)}${POP_ISOLATE}`;

/** Of a field. An empty one has the page's. */
export const directionOf = (text: string) => (text === '' ? undefined : 'auto');

/** Never used alone as a name, such as عبد in عبد الرحمن. */
const PREFIXES = new Set(['عبد', 'أبو', 'ابو', 'أم', 'ام', 'ابن', 'بنت', 'آل', 'Abd', 'Abdul', 'Abu', 'Umm', 'Ibn']);

export function firstName(name: string): string {
  const [first = '', second] = withoutBidiControls(name).trim().split(/\s+/);
  return PREFIXES.has(first) && second !== undefined ? `${first} ${second}` : first;
}

export const readNumber = (text: string): number => Number(withPlainDigits(text).trim() || Number.NaN);

export interface WrittenText {
  content: string;
  /** In grapheme clusters. */
  used: number;
  /** Why the server would refuse it, or null. */
  fault: TextFault | null;
}

/** Applies the server's rules. Counting stops at ten times the maximum. */
export function readText(raw: string, bounds: TextBounds): WrittenText {
  const result = cleanText(raw, bounds);
  if ('text' in result) return { content: result.text, used: countCharacters(result.text), fault: null };
  const { fault } = result;
  if (fault === 'required') return { content: '', used: 0, fault };
  const content = raw.trim();
  const counted = countCharacters(content.slice(0, 10 * bounds.max));
  return { content, used: fault === 'too_long' ? Math.max(counted, bounds.max + 1) : counted, fault };
}

/** Alone, this letter looks like the digit five, so add a connecting stroke. */
const ALONE: Partial<Record<string, string>> = { ه: 'هـ' };

export function firstLetter(name: string): string {
  for (const { segment } of splitCharacters(withoutBidiControls(name).trim())) return ALONE[segment] ?? segment;
  return '';
}
