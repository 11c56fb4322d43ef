import MiniSearch from 'minisearch';
import { CONCEPTS, DECISIVE, ELSEWHERE, OTHER_PRODUCTS, PRODUCT_FRAMES, STOP_WORDS } from '../knowledge/vocabulary.js';
import { formsOf, stem, wordsOf } from './words.js';

/** A word of a text, as it is compared. */
export interface Word {
  /** What it may stand for: the signs of the concepts that it is a word of, or its stem. */
  terms: string[];
  /** How sure it is that the word was meant, 0 to 1. */
  certainty: number;
}

export interface Lexicon {
  /** The words of a question, without those that say nothing about what is asked. */
  read(text: string): Word[];
}

const MAX_WORDS = 40;
/** Beside single words: longest first. */
const COUNTS_TOGETHER = [5, 4, 3, 2];
const MISSPELT_CERTAINTY = 0.75;

/** Arabic particles of one letter, which are written onto the next word. */
const PARTICLE = /^[وفبل]/;

/** "And", which is written onto the next word too. */
const CONJUNCTION = /^[وف]/;

const SIGN = '#';

/** Nothing known is longer, and looking for what is near to a long word takes long. */
const MAX_SPELT = 24;

const ARTICLE = /^ال/;

/** The sign of a concept. No word is folded to one. */
export const signOf = (concept: string): string => `${SIGN}${concept}`;
export const isSign = (term: string): boolean => term.startsWith(SIGN);

/** How many letters may be wrong in a word. A short one is too near to too many others. */
function allowedMistakes(word: string): number | false {
  const { length } = word.replace(ARTICLE, '');
  if (length < 6 || length > MAX_SPELT) return false;
  return length < 9 ? 1 : 2;
}

/** Reads words of both languages, of dialects and of many hands as what they mean. The other words of the examples are known as well. */
export function createLexicon(examples: readonly string[]): Lexicon {
  const known = new Map<string, Set<string>>();
  const learn = (form: string, term: string): void => void known.set(form, (known.get(form) ?? new Set()).add(term));
  for (const [concept, line] of Object.entries(CONCEPTS)) {
    for (const word of line.split(/\s+/)) learn(wordsOf(word).join('_'), signOf(concept));
  }
  for (const [concept, frames] of Object.entries(PRODUCT_FRAMES)) {
    for (const frame of frames.split(/\s+/))
      for (const product of OTHER_PRODUCTS.split(/\s+/))
        learn(wordsOf(frame.replace('*', product)).join('_'), signOf(concept));
  }
  const stopWords = new Set(STOP_WORDS.flatMap(wordsOf));

  /** What a word stands for: nothing when it is by the way, null when it is not known. */
  const find = (word: string): string[] | null => {
    const exact = known.get(word);
    if (exact) return [...exact];
    if (stopWords.has(word) || stopWords.has(word.replace(CONJUNCTION, ''))) return [];
    const form = formsOf(word).find((candidate) => known.has(candidate));
    if (form !== undefined) return [...(known.get(form) ?? [])];
    return stopWords.has(stem(word)) ? [] : null;
  };

  /** The longest words that mean something only together, and the others one by one. */
  const wordsTogetherOf = (text: string): string[] => {
    const words = wordsOf(text).slice(0, MAX_WORDS);
    const found: string[] = [];
    for (let at = 0; at < words.length;) {
      const candidates = COUNTS_TOGETHER.flatMap((count) => {
        const together = words.slice(at, at + count).join('_');
        return [together, together.replace(PARTICLE, '')].map((form) => ({ form, count }));
      });
      const { form, count } = candidates.find(
        (candidate) => at + candidate.count <= words.length && known.has(candidate.form),
      ) ?? { form: words[at] ?? '', count: 1 };
      found.push(form);
      at += count;
    }
    return found;
  };

  for (const word of examples.flatMap(wordsTogetherOf)) {
    if (find(word) === null) for (const form of [word, stem(word)]) learn(form, stem(word));
  }

  const decisive = [...DECISIVE, ELSEWHERE].map(signOf);
  const spellings = new MiniSearch<{ id: string }>({
    idField: 'id',
    fields: ['id'],
    tokenize: (text) => [text],
    processTerm: (term) => term,
  });
  for (const [form, terms] of known) {
    if (allowedMistakes(form) !== false && !decisive.some((sign) => terms.has(sign))) spellings.add({ id: form });
  }
  const findMisspelt = (word: string): string[] | null => {
    const [nearest] = spellings.search(word, { fuzzy: allowedMistakes });
    const form = String(nearest?.id ?? '');
    return form !== '' && word.startsWith(form.charAt(0)) ? [...(known.get(form) ?? [])] : null;
  };

  return {
    read: (text) =>
      wordsTogetherOf(text).flatMap((word): Word[] => {
        const terms = find(word);
        if (terms !== null) return terms.length > 0 ? [{ terms, certainty: 1 }] : [];
        const meant = findMisspelt(word);
        return [meant ? { terms: meant, certainty: MISSPELT_CERTAINTY } : { terms: [stem(word)], certainty: 1 }];
      }),
  };
}
