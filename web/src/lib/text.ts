/** Bidi embeddings, overrides, isolates and their terminators. An unbalanced one affects the text after it. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** Removes bidi control characters. The letters still determine the direction. */
export const withoutBidiControls = (text: string) => text.replace(CONTROLS, '');

/** Isolates a user's text in the middle of a sentence, where no element can do it. */
export const isolate = (text: string) => `${FIRST_STRONG_ISOLATE}${withoutBidiControls(text)}${POP_ISOLATE}`;

/** Words that are never used alone as a name, such as عبد in عبد الرحمن. */
const PREFIXES = new Set(['عبد', 'أبو', 'ابو', 'أم', 'ام', 'ابن', 'بنت', 'آل', 'Abd', 'Abdul', 'Abu', 'Umm', 'Ibn']);

/** The name to use in a sentence. */
export function firstName(name: string): string {
  const [first = '', second] = withoutBidiControls(name).trim().split(/\s+/);
  return PREFIXES.has(first) && second !== undefined ? `${first} ${second}` : first;
}

const segmenter = () => new Intl.Segmenter('und', { granularity: 'grapheme' });

/** How many code units a character may take on average, before a text is too long whatever a person counts. The server's bound. */
const CODE_UNITS_PER_CHARACTER = 16;

/** C0 and C1 controls other than line feed and tab, lone surrogates, and non-characters: what the server takes in no text. */
const FORBIDDEN = /(?![\t\n])\p{Cc}|\p{Surrogate}|\p{Noncharacter_Code_Point}/u;
const FORBIDDEN_ONES = new RegExp(FORBIDDEN, 'gu');

/** Nothing that a person sees: white space, what is ignored in display, and the empty braille pattern. To the server it is no text. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export type TextFault = 'required' | 'too_long' | 'forbidden_characters';

export interface WrittenText {
  /** What will be sent: the server keeps text trimmed and composed. */
  content: string;
  /** Characters as a person sees them, of which counting stops soon after the limit. */
  used: number;
  /** What the server would find wrong with it; null where it would take it. */
  fault: TextFault | null;
}

/** Reads what somebody writes as the server will, in its order: a bound comes before composing, which takes long for a long run of marks. */
export function readText(raw: string, limit: number): WrittenText {
  const trimmed = raw.trim();
  if (trimmed.length > limit * CODE_UNITS_PER_CHARACTER) {
    return { content: trimmed, used: Math.max(countGraphemes(trimmed, limit), limit + 1), fault: 'too_long' };
  }
  const content = tidy(raw);
  const used = countGraphemes(content, limit);
  return { content, used, fault: faultOf(content, used, limit) };
}

function faultOf(content: string, used: number, limit: number): TextFault | null {
  if (FORBIDDEN.test(content)) return 'forbidden_characters';
  if (used > limit) return 'too_long';
  return used === 0 ? 'required' : null;
}

/**
 * Characters as a person sees them. Counting stops soon after the limit, so that pasting a book does not freeze the page.
 */
export function countGraphemes(text: string, limit: number): number {
  const ceiling = limit * 2;
  let count = 0;
  for (const _ of segmenter().segment(text)) {
    count += 1;
    if (count === ceiling) break;
  }
  return count;
}

/** Trimmed, with line ends as one character, and composed; empty where nobody would see anything. */
export const tidy = (text: string) => (UNSEEN.test(text) ? '' : text.trim().replaceAll('\r\n', '\n').normalize('NFC'));

/** Without what nobody sees and the server does not take; it comes with what is pasted. */
export const withoutForbidden = (text: string) => text.replace(FORBIDDEN_ONES, '');

/** On its own, this letter looks like the digit five. Write it with a connecting stroke. */
const ALONE: Partial<Record<string, string>> = { ه: 'هـ' };

/** The first grapheme cluster of a name. */
export function firstLetter(name: string): string {
  for (const { segment } of segmenter().segment(withoutBidiControls(name).trim())) return ALONE[segment] ?? segment;
  return '';
}

/** The beginning of a text, cut between grapheme clusters, with an ellipsis if it was cut. */
export function preview(text: string, limit: number): string {
  let count = 0;
  for (const { index } of segmenter().segment(text)) {
    if (count === limit) return `${text.slice(0, index).trimEnd()}…`;
    count += 1;
  }
  return text;
}
