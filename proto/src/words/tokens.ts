import prefixes from './data/prefixes.json' with { type: 'json' };

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
