import { foldText } from '@najwa/common';

/** A question as its words are compared: folded, without apostrophes, and without letters repeated for emphasis. */
const foldQuestion = (text: string): string => foldText(text).replace(/['’]/g, '').replace(/(\p{L})\1{2,}/gu, '$1');

const ARABIC = /^\p{Script=Arabic}+$/u;
const ARABIC_PREFIXES = ['وبال', 'وال', 'بال', 'كال', 'فال', 'هال', 'عال', 'لل', 'ال', 'و', 'ب', 'ل', 'ف'];
const ARABIC_SUFFIXES = ['هما', 'تكم', 'تها', 'كم', 'هم', 'ها', 'نا', 'ات', 'وا', 'ين', 'ون', 'ان', 'تي', 'تك', 'ته', 'ني', 'يه', 'ه', 'ي', 'ك'];
const ENGLISH_SUFFIXES = ['ings', 'ing', 'ies', 'es', 'ed', 's'];
const MIN_STEM = 3;

function stripOne(word: string, affixes: string[], at: 'start' | 'end'): string {
  const affix = affixes.find((candidate) => word.length - candidate.length >= MIN_STEM && (at === 'start' ? word.startsWith(candidate) : word.endsWith(candidate)));
  if (affix === undefined) return word;
  return at === 'start' ? word.slice(affix.length) : word.slice(0, -affix.length);
}

/** A light stem: the article, particles and endings go, the pattern of the word stays. */
export function stem(word: string): string {
  if (ARABIC.test(word)) return stripOne(stripOne(word, ARABIC_PREFIXES, 'start'), ARABIC_SUFFIXES, 'end');
  return stripOne(word, ENGLISH_SUFFIXES, 'end');
}

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  return foldQuestion(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
