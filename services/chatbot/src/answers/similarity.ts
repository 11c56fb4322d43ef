import { isConceptTerm, type Word } from './lexicon.js';
import { wordsOf } from './words.js';

/** With the words from the lexicon. */
export interface AnalysedText {
  text: string;
  words: readonly Word[];
}

/** Cosine similarity, 0 to 1, by entry id. */
export type Similarity = (text: AnalysedText) => ReadonlyMap<string, number>;

type Features = Map<string, number>;

/** Letter n-grams match words and spellings missing from the lists. */
const WEIGHTS = { concept: 1, stem: 0.5, word: 0.3, letters: 0.4 };
const NGRAM_LENGTHS = [3, 4];

function ngramsOf(word: string): string[] {
  const bounded = `<${word}>`;
  return NGRAM_LENGTHS.flatMap((count) =>
    Array.from({ length: Math.max(0, bounded.length - count + 1) }, (_, at) => bounded.slice(at, at + count)),
  );
}

function featuresOf({ text, words }: AnalysedText): Features {
  const features: Features = new Map();
  const add = (feature: string, weight: number): void =>
    void features.set(feature, Math.max(features.get(feature) ?? 0, weight));
  for (const { terms, certainty } of words) {
    for (const term of terms)
      add(
        `term ${term}`,
        ((isConceptTerm(term) ? WEIGHTS.concept : WEIGHTS.stem) * certainty) / Math.sqrt(terms.length),
      );
  }
  for (const word of wordsOf(text)) {
    add(`word ${word}`, WEIGHTS.word);
    for (const letters of ngramsOf(word)) add(letters, WEIGHTS.letters);
  }
  return features;
}

function normalise(features: Features): Features {
  const length = Math.hypot(...features.values()) || 1;
  return new Map([...features].map(([feature, weight]) => [feature, weight / length]));
}

/** TF-IDF, with one vector per entry. */
export function createSimilarity(entries: readonly { id: string; texts: readonly AnalysedText[] }[]): Similarity {
  const analysed = entries.map(({ id, texts }) => ({ id, texts: texts.map(featuresOf) }));
  const total = entries.reduce((sum, { texts }) => sum + texts.length, 0);
  const documentFrequency = new Map<string, number>();
  for (const feature of analysed.flatMap(({ texts }) => texts.flatMap((features) => [...features.keys()])))
    documentFrequency.set(feature, (documentFrequency.get(feature) ?? 0) + 1);
  const weigh = (features: Features): Features =>
    normalise(
      new Map(
        [...features].map(([feature, weight]) => [
          feature,
          weight * Math.log(1 + total / (documentFrequency.get(feature) ?? 1)),
        ]),
      ),
    );

  const postings = new Map<string, { id: string; weight: number }[]>();
  for (const { id, texts } of analysed) {
    const sums: Features = new Map();
    for (const features of texts)
      for (const [feature, weight] of weigh(features)) sums.set(feature, (sums.get(feature) ?? 0) + weight);
    // Square root, so that frequent features do not hide rare ones.
    for (const [feature, weight] of normalise(new Map([...sums].map(([feature, sum]) => [feature, Math.sqrt(sum)])))) {
      const posting = postings.get(feature);
      if (posting) posting.push({ id, weight });
      else postings.set(feature, [{ id, weight }]);
    }
  }

  return (text) => {
    const similarity = new Map<string, number>();
    for (const [feature, weight] of weigh(featuresOf(text))) {
      for (const posting of postings.get(feature) ?? [])
        similarity.set(posting.id, (similarity.get(posting.id) ?? 0) + weight * posting.weight);
    }
    return similarity;
  };
}
