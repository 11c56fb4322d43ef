import MiniSearch from 'minisearch';
import type { KnowledgeEntry } from '../knowledge/entry.js';
import { CONCEPTS, STOP_WORDS } from '../knowledge/vocabulary.js';
import { stem, wordsOf } from './words.js';

export interface Matcher {
  /** The id of the entry that a question asks for; null when none is near enough. */
  best(question: string): string | null;
  /** Ids of the nearest entries, however far. */
  ranked(question: string, limit: number): string[];
}

/** One way of asking for an entry. */
interface Phrase {
  id: number;
  entryId: string;
  text: string;
}

interface Found {
  id: number;
  entryId: string;
  score: number;
  /** The words of the phrase, and those of the question, that met. */
  terms: string[];
  queryTerms: string[];
}

interface Ranking {
  entryId: string;
  score: number;
  /** How much of the question the entry speaks of, 0 to 1. */
  coverage: number;
}

/** Of what a question says, so much must be spoken of by the entry that answers it, and so firmly. */
const MIN_COVERAGE = 0.34;
const MIN_SCORE = 13;

/** A question of a word or two scores little. It is enough when nearly all of it is spoken of. */
const SHORT = { minCoverage: 0.75, minScore: 6 };

/** A word that is written nowhere is mostly by the way: a name, a courtesy, a dialect's particle. Known ones weigh 2 to 6. */
const UNKNOWN_WEIGHT = 2;

/** A match that is only similar says less. */
const SIMILAR = 0.6;

const MAX_WORDS = 60;

/** What a word stands for beside itself: one sign for the words of both languages and of dialects that mean the same. */
function createVocabulary() {
  const concepts = new Map<string, Set<string>>();
  for (const [concept, line] of Object.entries(CONCEPTS)) {
    for (const word of wordsOf(line)) {
      for (const form of [word, stem(word)]) concepts.set(form, (concepts.get(form) ?? new Set()).add(`#${concept}`));
    }
  }
  const stopWords = new Set(STOP_WORDS.flatMap((line) => wordsOf(line)));

  /** The words of a text, each as the terms under which it may be found. */
  return (text: string): string[][] =>
    wordsOf(text)
      .slice(0, MAX_WORDS)
      .filter((word) => !stopWords.has(word) && !stopWords.has(stem(word)))
      .map((word) => [stem(word), ...(concepts.get(word) ?? concepts.get(stem(word)) ?? [])]);
}

/** How many letters may be wrong in a word. A concept is a sign, and is right or is not there. */
function allowedMistakes(term: string): number | false {
  if (term.startsWith('#') || term.length < 5) return false;
  return term.length < 8 ? 1 : 2;
}

export function createMatcher(knowledge: readonly KnowledgeEntry[]): Matcher {
  const termsOf = createVocabulary();
  const phrases: Phrase[] = knowledge
    .flatMap(({ id, ar, en }) => [ar.question, ...ar.also, en.question, ...en.also].map((text) => ({ entryId: id, text })))
    .map((phrase, id) => ({ ...phrase, id }));
  const index = new MiniSearch<Phrase>({
    fields: ['text'],
    storeFields: ['entryId'],
    tokenize: (text) => termsOf(text).flat(),
    processTerm: (term) => term,
    searchOptions: { prefix: (term) => !term.startsWith('#') && term.length >= 4, fuzzy: allowedMistakes, weights: { fuzzy: 0.5, prefix: 0.6 } },
  });
  index.addAll(phrases);

  const frequency = new Map<string, number>();
  for (const { text } of phrases) for (const term of new Set(termsOf(text).flat())) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  /** What is said seldom tells more. */
  const weightOf = (terms: string[]): number => {
    const known = terms.filter((term) => frequency.has(term));
    if (known.length === 0) return UNKNOWN_WEIGHT;
    return Math.min(...known.map((term) => Math.log(1 + phrases.length / (1 + (frequency.get(term) ?? 0)))));
  };

  const weightOfAll = (words: string[][]): number => words.reduce((sum, terms) => sum + weightOf(terms), 0);
  const phraseWeights = phrases.map(({ text }) => weightOfAll(termsOf(text)));

  const rank = (question: string): Ranking[] => {
    const words = termsOf(question);
    const total = weightOfAll(words);
    const best = new Map<string, Ranking>();
    for (const { id, entryId, score, terms: found, queryTerms } of index.search(question) as unknown as Found[]) {
      const matched = (terms: string[]): number => (terms.some((term) => found.includes(term)) ? 1 : terms.some((term) => queryTerms.includes(term)) ? SIMILAR : 0);
      const covered = words.reduce((sum, terms) => sum + matched(terms) * weightOf(terms), 0);
      const coverage = covered / total;
      // A phrase that says much else as well asks for something else.
      const shareOfPhrase = Math.min(1, covered / (phraseWeights[id] ?? 1));
      const ranking = { entryId, score: score * coverage * Math.sqrt(shareOfPhrase), coverage };
      if (ranking.score > (best.get(entryId)?.score ?? 0)) best.set(entryId, ranking);
    }
    return [...best.values()].sort((a, b) => b.score - a.score);
  };

  return {
    best(question) {
      const [first] = rank(question);
      if (first === undefined) return null;
      const { entryId, score, coverage } = first;
      const isNear = (coverage >= MIN_COVERAGE && score >= MIN_SCORE) || (coverage >= SHORT.minCoverage && score >= SHORT.minScore);
      return isNear ? entryId : null;
    },
    ranked: (question, limit) =>
      rank(question)
        .slice(0, limit)
        .map(({ entryId }) => entryId),
  };
}
