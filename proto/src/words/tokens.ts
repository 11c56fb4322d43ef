import prefixes from './data/prefixes.json' with { type: 'json' };
import twins from './data/twins.json' with { type: 'json' };

const TWINS = new Map(Object.entries(twins));
const TWIN = new RegExp(`[${[...TWINS.keys()].join('')}]`, 'gu');

/** Marks (harakat, accents, hamza), tatweel, invisible characters. */
const UNSEEN = /[\p{Mn}\p{Default_Ignorable_Code_Point}\u0640]/gu;

/** Ya with a hamza before waw, in place of which others write waw with one: «شئون» is «شؤون». */
const SEAT = /\u064a\p{Mn}*\u0654\p{Mn}*(?=\u0648)/gu;

/** The ten digits of a script are contiguous in Unicode. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/**
 * For matching words, not for display: folds case, compatibility forms, marks, tatweel, alef, ya, hamza, ta marbuta,
 * zero-width characters, look-alike letters and digits.
 * @param max in visible characters
 */
export function foldWords(text: string, max = Infinity): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(SEAT, '\u0648')
    .replace(UNSEEN, '')
    .slice(0, max)
    .replace(TWIN, (letter) => TWINS.get(letter) ?? letter)
    .replace(/(?![0-9])\p{Nd}/gu, digitValue);
}

const TOKEN = /[\p{L}\p{N}]+/gu;
const ARABIC = /^[\u0621-\u064a]/;

/**
 * Longest first. A single letter may belong to the word, so more must remain. Searches are stricter, since people see
 * false hits: «ريم» does not find «كريم».
 */
const PREFIXES = prefixes.map((text) => ({
  text,
  minRest: text.length === 1 ? 3 : 2,
  minSearchedRest: /(ال|لل)$/.test(text) ? 2 : /^[وف]$/.test(text) ? 3 : 4,
}));

/** Empty if nothing is searchable. */
export const tokensOf = (folded: string): string[] => folded.match(TOKEN) ?? [];

/** Without conjunctions, prepositions and article. */
export const withoutPrefixes = (token: string): string[] => stripped(token, 'minRest');

/** Stricter, for searches. */
export const withoutSearchedPrefixes = (token: string): string[] => stripped(token, 'minSearchedRest');

function stripped(token: string, bound: 'minRest' | 'minSearchedRest'): string[] {
  if (!ARABIC.test(token)) return [];
  return PREFIXES.filter(
    ({ text, [bound]: minRest }) => token.startsWith(text) && token.length - text.length >= minRest,
  ).map(({ text }) => token.slice(text.length));
}
