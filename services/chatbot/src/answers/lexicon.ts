import MiniSearch from 'minisearch';
import { CONCEPTS, DECISIVE, OFF_TOPIC, OTHER_PRODUCTS, STOP_WORDS } from '../knowledge/vocabulary.js';
import { formsOf, stem, wordsOf } from './words.js';

export interface Word {
  /** Concepts (see `conceptTerm`), or else the stem. */
  terms: string[];
  /** 0 to 1. Below 1 after a spelling correction. */
  certainty: number;
}

export interface Lexicon {
  /** Without stop words. */
  read(text: string): Word[];
}

const MAX_WORDS = 40;

/** In words, longest first. */
const PHRASE_LENGTHS = [5, 4, 3, 2];

const TYPO_CERTAINTY = 0.75;

/** One-letter Arabic particles, written joined to the next word. */
const PARTICLE = /^[وفبل]/;

/** Arabic "and", likewise joined. */
const CONJUNCTION = /^[وف]/;

const ARTICLE = /^ال/;

const CONCEPT_PREFIX = '#';

/** No known word is longer, and fuzzy search gets slow. */
const MAX_FUZZY_LENGTH = 24;

/** Cannot collide with a normalised word. */
export const conceptTerm = (concept: string): string => `${CONCEPT_PREFIX}${concept}`;
export const isConceptTerm = (term: string): boolean => term.startsWith(CONCEPT_PREFIX);

/** Maximum edit distance. Short words are too similar to each other. */
function maxEdits(word: string): number | false {
  const { length } = word.replace(ARTICLE, '');
  if (length < 6 || length > MAX_FUZZY_LENGTH) return false;
  return length < 9 ? 1 : 2;
}

export function createLexicon(examples: readonly string[]): Lexicon {
  const known = new Map<string, Set<string>>();
  const add = (form: string, term: string): void => void known.set(form, (known.get(form) ?? new Set()).add(term));
  for (const [concept, words] of Object.entries(CONCEPTS)) {
    for (const word of words) add(wordsOf(word).join('_'), conceptTerm(concept));
  }
  for (const [concept, frames] of Object.entries(OTHER_PRODUCTS.frames)) {
    for (const frame of frames)
      for (const product of OTHER_PRODUCTS.products)
        add(wordsOf(frame.replace('*', product)).join('_'), conceptTerm(concept));
  }
  const stopWords = new Set(STOP_WORDS.flatMap(wordsOf));

  /** Empty for a stop word, null for an unknown word. */
  const find = (word: string): string[] | null => {
    const exact = known.get(word);
    if (exact) return [...exact];
    if (stopWords.has(word) || stopWords.has(word.replace(CONJUNCTION, ''))) return [];
    const form = formsOf(word).find((candidate) => known.has(candidate));
    if (form !== undefined) return [...(known.get(form) ?? [])];
    return stopWords.has(stem(word)) ? [] : null;
  };

  /** Greedy: joins the longest known phrases. */
  const splitPhrases = (text: string): string[] => {
    const words = wordsOf(text).slice(0, MAX_WORDS);
    const found: string[] = [];
    for (let at = 0; at < words.length;) {
      const candidates = PHRASE_LENGTHS.flatMap((count) => {
        const phrase = words.slice(at, at + count).join('_');
        return [phrase, phrase.replace(PARTICLE, '')].map((form) => ({ form, count }));
      });
      const { form, count } = candidates.find(
        (candidate) => at + candidate.count <= words.length && known.has(candidate.form),
      ) ?? { form: words[at] ?? '', count: 1 };
      found.push(form);
      at += count;
    }
    return found;
  };

  for (const word of examples.flatMap(splitPhrases)) {
    if (find(word) === null) for (const form of [word, stem(word)]) add(form, stem(word));
  }

  // A typo must not turn a harmless word into a decisive one.
  const notFuzzy = [...DECISIVE, OFF_TOPIC].map(conceptTerm);
  const spellings = new MiniSearch<{ id: string }>({
    idField: 'id',
    fields: ['id'],
    tokenize: (text) => [text],
    processTerm: (term) => term,
  });
  for (const [form, terms] of known) {
    if (maxEdits(form) !== false && !notFuzzy.some((term) => terms.has(term))) spellings.add({ id: form });
  }
  const findDespiteTypo = (word: string): string[] | null => {
    const [nearest] = spellings.search(word, { fuzzy: maxEdits });
    const form = String(nearest?.id ?? '');
    return form !== '' && word.startsWith(form.charAt(0)) ? [...(known.get(form) ?? [])] : null;
  };

  return {
    read: (text) =>
      splitPhrases(text).flatMap((word): Word[] => {
        const terms = find(word);
        if (terms !== null) return terms.length > 0 ? [{ terms, certainty: 1 }] : [];
        const similar = findDespiteTypo(word);
        return [similar ? { terms: similar, certainty: TYPO_CERTAINTY } : { terms: [stem(word)], certainty: 1 }];
      }),
  };
}
