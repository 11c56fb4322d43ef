import insults from './data/insults.json' with { type: 'json' };
import scams from './data/scams.json' with { type: 'json' };
import { createWordMatcher, type WordMatcher } from './matcher.js';

export { foldWords } from './tokens.js';
export { indexedWords, markFound, searchedWords } from './search.js';
export { createWordMatcher, prepareText, type PreparedText, type WordMatcher } from './matcher.js';

/** Arabic and English. */
export const WORD_LISTS = { insults, scams } as const;

export type WordListName = keyof typeof WORD_LISTS;

const matchers = new Map<WordListName, WordMatcher>();

/** Cached. */
export function listMatcher(name: WordListName): WordMatcher {
  const matcher = matchers.get(name) ?? createWordMatcher(WORD_LISTS[name]);
  matchers.set(name, matcher);
  return matcher;
}
