import prefixes from './data/prefixes.json' with { type: 'json' };

const TOKEN = /[\p{L}\p{N}]+/gu;
const ARABIC = /^[\u0621-\u064a]/;

/** The longest first. A single letter may be a part of the word, so more has to be left of it. */
const PREFIXES = prefixes.map((text) => ({
  text,
  minRest: text.length === 1 ? 3 : 2,
  isArticle: /(ال|لل)$/.test(text),
}));

/** The words of a folded text. Empty if there is nothing in it that could be found. */
export const tokensOf = (folded: string): string[] => folded.match(TOKEN) ?? [];

/** Readings of an Arabic token without its conjunctions, prepositions and article. */
export const withoutPrefixes = (token: string): string[] => stripped(token, PREFIXES);

/** Readings of an Arabic token without its article and the letters before that. */
export const withoutArticle = (token: string): string[] =>
  stripped(
    token,
    PREFIXES.filter(({ isArticle }) => isArticle),
  );

function stripped(token: string, prefixesOf: typeof PREFIXES): string[] {
  if (!ARABIC.test(token)) return [];
  return prefixesOf
    .filter(({ text, minRest }) => token.startsWith(text) && token.length - text.length >= minRest)
    .map(({ text }) => token.slice(text.length));
}
