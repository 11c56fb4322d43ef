import prefixes from './data/prefixes.json' with { type: 'json' };

const TOKEN = /[\p{L}\p{N}]+/gu;
const ARABIC = /^[\u0621-\u064a]/;

/**
 * The longest first. A single letter may be a part of the word, so more has to be left of it. In a search people see
 * every wrong hit: «كريم» is not found by «ريم».
 */
const PREFIXES = prefixes.map((text) => ({
  text,
  minRest: text.length === 1 ? 3 : 2,
  minSearchedRest: /(ال|لل)$/.test(text) ? 2 : /^[وف]$/.test(text) ? 3 : 4,
}));

/** The words of a folded text. Empty if there is nothing in it that could be found. */
export const tokensOf = (folded: string): string[] => folded.match(TOKEN) ?? [];

/** Readings of an Arabic token without its conjunctions, prepositions and article. */
export const withoutPrefixes = (token: string): string[] => stripped(token, 'minRest');

/** The same for what is searched. */
export const withoutSearchedPrefixes = (token: string): string[] => stripped(token, 'minSearchedRest');

function stripped(token: string, bound: 'minRest' | 'minSearchedRest'): string[] {
  if (!ARABIC.test(token)) return [];
  return PREFIXES.filter(
    ({ text, [bound]: minRest }) => token.startsWith(text) && token.length - text.length >= minRest,
  ).map(({ text }) => token.slice(text.length));
}
