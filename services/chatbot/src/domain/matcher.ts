import type { KnowledgeEntry } from '../knowledge/entry.js';
import { phrasingsOf } from '../knowledge/phrasings/index.js';
import { COURTESIES, DECISIVE, ELSEWHERE } from '../knowledge/vocabulary.js';
import { createLexicon, isSign, signOf, type Word } from './lexicon.js';
import { createLikeness } from './likeness.js';

export interface Matcher {
  /** The id of the entry that a question asks for; null when none is near enough. */
  best(question: string): string | null;
  /** Ids of the entries that a question may be about: the nearest, and those that are hardly further. */
  near(question: string): string[];
  /** Ids of the nearest entries, however far. */
  ranked(question: string, limit: number): string[];
}

interface WeighedWord extends Word {
  weight: number;
}

/** A text, or several together. */
interface Phrase {
  words: WeighedWord[];
  terms: Set<string>;
  weight: number;
}

interface Ranking {
  entryId: string;
  score: number;
}

/** How much it counts, beside how near the single ways of asking are, that a question is like all that is written for an entry. */
const LIKENESS = 1.6;

/** What answers a question scores so much: 1 for what is near in each word, and what it is alike. */
const MIN_SCORE = 0.74;

/** What a question may be about as well scores so much, and so little below the nearest. */
const MIN_NEAR = 0.5;
const HARDLY_LESS = 0.35;

/** What is met must say at least so much, if the question is not just what is written down: a "how" alone asks for nothing. */
const MIN_EVIDENCE = 2;
const SAME = 0.85;

/** What names something decisive is about that, and all of it. */
const MIN_DECISIVE_COVERAGE = 0.75;

/** What names something else can still tell a story that ends in a question about us, if nearly all of the rest is about that. */
const MIN_COVERAGE_ELSEWHERE = 0.65;
const ELSEWHERE_WEIGHT = 5;

/** So many entries are compared word by word with a question: those that are most like it as a whole. */
const CANDIDATES = 20;

/** A word of no concept is in an example mostly because examples are whole sentences. */
const PLAIN = 0.5;

/** A word that is written nowhere is mostly by the way: a name, a courtesy, a dialect's particle. Known ones weigh up to 5. */
const UNKNOWN_WEIGHT = 2;

/** How much the nearest ways of asking for an entry count, the very nearest first; what is left is for all ways of asking for it together. */
const NEAREST = [0.45, 0.1, 0.1];
const ALL_TOGETHER = 0.35;

const DECISIVE_TERMS = new Set(DECISIVE.map(signOf));
const ELSEWHERE_TERM = signOf(ELSEWHERE);
const COURTESY_TERMS = new Set(COURTESIES.map(signOf));
const MIN_BESIDE_COURTESIES = 2;

const termsOf = (words: Word[]): Set<string> => new Set(words.flatMap(({ terms }) => terms));

const isElsewhere = ({ terms }: Word): boolean => terms.every((term) => term === ELSEWHERE_TERM);

/** The weight of the words that meet the terms. */
const met = (words: WeighedWord[], terms: Set<string>): number =>
  words.reduce((sum, word) => sum + (word.terms.some((term) => terms.has(term)) ? word.certainty * word.weight : 0), 0);

/** How much of two phrases is the same: what says much else as well asks for something else. */
const nearnessOf = (one: Phrase, other: Phrase): number =>
  (met(one.words, other.terms) + met(other.words, one.terms)) / (one.weight + other.weight);

/** Who greets or thanks, and asks for something as well, is to be told what was asked for. */
function withoutCourtesies(words: Word[]): Word[] {
  const others = words.filter(({ terms }) => !terms.some((term) => COURTESY_TERMS.has(term)));
  return others.filter(({ terms }) => terms.some(isSign)).length >= MIN_BESIDE_COURTESIES ? others : words;
}

export function createMatcher(knowledge: readonly KnowledgeEntry[]): Matcher {
  const waysToAsk = knowledge.map(({ id, ar, en }) => ({
    id,
    texts: [ar.question, ...ar.also, en.question, ...en.also, ...phrasingsOf(id)],
  }));
  const lexicon = createLexicon(waysToAsk.flatMap(({ texts }) => texts));
  const read = waysToAsk.map(({ id, texts }) => ({
    id,
    phrases: texts.map((text) => lexicon.read(text).filter((word) => !isElsewhere(word))),
    texts,
  }));
  const likenessOf = createLikeness(
    read.map(({ id, phrases, texts }) => ({
      id,
      texts: texts.map((written, at) => ({ written, read: phrases[at] ?? [] })),
    })),
  );

  const spread = new Map<string, number>();
  for (const { phrases } of read)
    for (const term of termsOf(phrases.flat())) spread.set(term, (spread.get(term) ?? 0) + 1);
  /** What few entries speak of tells more. */
  const weightOf = ({ terms }: Word): number => {
    const weights = terms.flatMap((term) => {
      const entries = spread.get(term);
      return entries === undefined ? [] : [(isSign(term) ? 1 : PLAIN) * Math.log(1 + knowledge.length / entries)];
    });
    if (weights.length > 0) return Math.min(...weights);
    return terms.includes(ELSEWHERE_TERM) ? ELSEWHERE_WEIGHT : UNKNOWN_WEIGHT;
  };
  const weigh = (words: Word[]): Phrase => {
    const weighed = words.map((word) => ({ ...word, weight: weightOf(word) }));
    return { words: weighed, terms: termsOf(words), weight: weighed.reduce((sum, { weight }) => sum + weight, 0) };
  };
  const entries = new Map(
    read.map(({ id, phrases }) => [id, { phrases: phrases.map(weigh), terms: termsOf(phrases.flat()) }]),
  );

  const rank = (text: string): Ranking[] => {
    const question = weigh(withoutCourtesies(lexicon.read(text)));
    const speaksOfElsewhere = question.words.some(isElsewhere);
    const decisive = [...question.terms].filter((term) => DECISIVE_TERMS.has(term));
    const likeness = likenessOf({ written: text, read: question.words });
    const alike = [...likeness].sort(([, a], [, b]) => b - a).slice(0, CANDIDATES);
    const rankings: Ranking[] = [];
    for (const [id, like] of alike) {
      const entry = entries.get(id);
      if (!entry) continue;
      const { phrases, terms } = entry;
      const evidence = met(question.words, terms);
      const coverage = evidence / question.weight;
      if (
        evidence === 0 ||
        (speaksOfElsewhere && coverage < MIN_COVERAGE_ELSEWHERE) ||
        (decisive.length > 0 && (coverage < MIN_DECISIVE_COVERAGE || !decisive.every((term) => terms.has(term))))
      )
        continue;
      const nearness = phrases.map((phrase) => nearnessOf(question, phrase)).sort((a, b) => b - a);
      const near = NEAREST.reduce((sum, share, at) => sum + share * (nearness[at] ?? 0), ALL_TOGETHER * coverage);
      if (evidence >= MIN_EVIDENCE || near >= SAME) rankings.push({ entryId: id, score: near + LIKENESS * like });
    }
    return rankings.sort((a, b) => b.score - a.score);
  };

  return {
    best(question) {
      const [first] = rank(question);
      return first !== undefined && first.score >= MIN_SCORE ? first.entryId : null;
    },
    near(question) {
      const rankings = rank(question);
      const bound = Math.max(MIN_NEAR, (rankings[0]?.score ?? 0) - HARDLY_LESS);
      return rankings.filter(({ score }) => score >= bound).map(({ entryId }) => entryId);
    },
    ranked: (question, limit) =>
      rank(question)
        .slice(0, limit)
        .map(({ entryId }) => entryId),
  };
}
