import { phrasings, type KnowledgeEntry } from '../knowledge/index.js';
import { COURTESIES, DECISIVE, OFF_TOPIC } from '../knowledge/vocabulary.js';
import { conceptTerm, createLexicon, isConceptTerm, type Word } from './lexicon.js';
import { createSimilarity } from './similarity.js';

export interface Match {
  entryId: string;
  score: number;
}

export interface Matcher {
  /** Best first. */
  rank(question: string): Match[];
}

/** Null below the threshold. */
export const bestOf = ([first]: readonly Match[]): Match | null =>
  first !== undefined && first.score >= MIN_SCORE ? first : null;

/** Matches close to the best one. */
export const plausibleOf = (matches: readonly Match[]): Match[] => {
  const bound = Math.max(MIN_PLAUSIBLE_SCORE, (matches[0]?.score ?? 0) - MAX_DISTANCE_TO_BEST);
  return matches.filter(({ score }) => score >= bound);
};

interface WeightedWord extends Word {
  weight: number;
}

interface Phrase {
  words: WeightedWord[];
  terms: Set<string>;
  weight: number;
}

/** Similarity to the whole entry, relative to the overlap with single phrasings. */
const SIMILARITY_WEIGHT = 1.6;

/** Full overlap scores about 1, plus the weighted similarity. */
const MIN_SCORE = 0.74;

const MIN_PLAUSIBLE_SCORE = 0.5;
const MAX_DISTANCE_TO_BEST = 0.35;

/** Minimum weight of matched words, unless nearly identical: "how" alone asks for nothing. */
const MIN_EVIDENCE = 2;
const NEARLY_IDENTICAL = 0.85;

/** Share of a question with a decisive concept that the entry must cover. */
const MIN_DECISIVE_COVERAGE = 0.75;

/** Likewise, for a question with off-topic words. */
const MIN_OFF_TOPIC_COVERAGE = 0.65;
const OFF_TOPIC_WEIGHT = 5;

/** Most similar entries, which are compared phrase by phrase. */
const CANDIDATES = 20;

/** Words without a concept often only complete a sentence. */
const STEM_FACTOR = 0.5;

/** Mostly names and filler. Known words weigh up to 5. */
const UNKNOWN_WEIGHT = 2;

/** The three nearest phrasings; the rest weighs coverage by all of them. */
const NEAREST_WEIGHTS = [0.45, 0.1, 0.1];
const COVERAGE_WEIGHT = 0.35;

const DECISIVE_TERMS = new Set(DECISIVE.map(conceptTerm));
const OFF_TOPIC_TERM = conceptTerm(OFF_TOPIC);
const COURTESY_TERMS = new Set(COURTESIES.map(conceptTerm));
const MIN_OTHER_CONCEPTS = 2;

const termsOf = (words: Word[]): Set<string> => new Set(words.flatMap(({ terms }) => terms));

const isOffTopic = ({ terms }: Word): boolean => terms.every((term) => term === OFF_TOPIC_TERM);

const matchedWeight = (words: WeightedWord[], terms: Set<string>): number =>
  words.reduce((sum, word) => sum + (word.terms.some((term) => terms.has(term)) ? word.certainty * word.weight : 0), 0);

/** Weighted Dice coefficient: extra words on either side lower it. */
const overlapOf = (one: Phrase, other: Phrase): number =>
  (matchedWeight(one.words, other.terms) + matchedWeight(other.words, one.terms)) / (one.weight + other.weight);

/** Drops greetings and thanks if the question asks for more. */
function withoutCourtesies(words: Word[]): Word[] {
  const others = words.filter(({ terms }) => !terms.some((term) => COURTESY_TERMS.has(term)));
  const concepts = others.filter(({ terms }) => terms.some(isConceptTerm)).length;
  return concepts >= MIN_OTHER_CONCEPTS ? others : words;
}

export function createMatcher(knowledge: readonly KnowledgeEntry[]): Matcher {
  const waysToAsk = knowledge.map(({ id, ar, en }) => ({
    id,
    texts: [ar.question, en.question, ...(phrasings.ar[id] ?? []), ...(phrasings.en[id] ?? [])],
  }));
  const lexicon = createLexicon(waysToAsk.flatMap(({ texts }) => texts));
  const analysed = waysToAsk.map(({ id, texts }) => ({
    id,
    texts: texts.map((text) => ({ text, words: lexicon.read(text).filter((word) => !isOffTopic(word)) })),
  }));
  const similarityOf = createSimilarity(analysed);

  const entryFrequency = new Map<string, number>();
  for (const { texts } of analysed)
    for (const term of termsOf(texts.flatMap(({ words }) => words)))
      entryFrequency.set(term, (entryFrequency.get(term) ?? 0) + 1);

  /** Inverse entry frequency. */
  const weightOf = ({ terms }: Word): number => {
    const weights = terms.flatMap((term) => {
      const entries = entryFrequency.get(term);
      const factor = isConceptTerm(term) ? 1 : STEM_FACTOR;
      return entries === undefined ? [] : [factor * Math.log(1 + knowledge.length / entries)];
    });
    if (weights.length > 0) return Math.min(...weights);
    return terms.includes(OFF_TOPIC_TERM) ? OFF_TOPIC_WEIGHT : UNKNOWN_WEIGHT;
  };
  const weigh = (words: Word[]): Phrase => {
    const weighted = words.map((word) => ({ ...word, weight: weightOf(word) }));
    return { words: weighted, terms: termsOf(words), weight: weighted.reduce((sum, { weight }) => sum + weight, 0) };
  };
  const entries = new Map(
    analysed.map(({ id, texts }) => [
      id,
      { phrases: texts.map(({ words }) => weigh(words)), terms: termsOf(texts.flatMap(({ words }) => words)) },
    ]),
  );

  return {
    rank(text) {
      const question = weigh(withoutCourtesies(lexicon.read(text)));
      const hasOffTopicWords = question.words.some(isOffTopic);
      const decisive = [...question.terms].filter((term) => DECISIVE_TERMS.has(term));
      const candidates = [...similarityOf({ text, words: question.words })]
        .sort(([, a], [, b]) => b - a)
        .slice(0, CANDIDATES);
      const matches: Match[] = [];
      for (const [entryId, similarity] of candidates) {
        const entry = entries.get(entryId);
        if (!entry) continue;
        const { phrases, terms } = entry;
        const evidence = matchedWeight(question.words, terms);
        const coverage = evidence / question.weight;
        if (
          evidence === 0 ||
          (hasOffTopicWords && coverage < MIN_OFF_TOPIC_COVERAGE) ||
          (decisive.length > 0 && (coverage < MIN_DECISIVE_COVERAGE || !decisive.every((term) => terms.has(term))))
        )
          continue;
        const overlaps = phrases.map((phrase) => overlapOf(question, phrase)).sort((a, b) => b - a);
        const overlap = NEAREST_WEIGHTS.reduce(
          (sum, weight, at) => sum + weight * (overlaps[at] ?? 0),
          COVERAGE_WEIGHT * coverage,
        );
        if (evidence >= MIN_EVIDENCE || overlap >= NEARLY_IDENTICAL)
          matches.push({ entryId, score: overlap + SIMILARITY_WEIGHT * similarity });
      }
      return matches.sort((a, b) => b.score - a.score);
    },
  };
}
