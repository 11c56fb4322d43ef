import { isSign, type Word } from './lexicon.js';
import { wordsOf } from './words.js';

/** A text as it was written, and as it was read. */
export interface Text {
  written: string;
  read: readonly Word[];
}

/** Tells how like a text is to all that is written for each entry, 0 to 1. */
export type Likeness = (text: Text) => ReadonlyMap<string, number>;

type Features = Map<string, number>;

/** What a word means says more than how it is spelt; its letters speak for words and spellings that nobody has listed. */
const WEIGHTS = { sign: 1, stem: 0.5, word: 0.3, letters: 0.4 };
const LETTERS_TOGETHER = [3, 4];

function lettersOf(word: string): string[] {
  const bounded = `<${word}>`;
  return LETTERS_TOGETHER.flatMap((count) =>
    Array.from({ length: Math.max(0, bounded.length - count + 1) }, (_, at) => bounded.slice(at, at + count)),
  );
}

function featuresOf({ written, read }: Text): Features {
  const features: Features = new Map();
  const add = (feature: string, weight: number): void =>
    void features.set(feature, Math.max(features.get(feature) ?? 0, weight));
  for (const { terms, certainty } of read) {
    for (const term of terms)
      add(`term ${term}`, ((isSign(term) ? WEIGHTS.sign : WEIGHTS.stem) * certainty) / Math.sqrt(terms.length));
  }
  for (const word of wordsOf(written)) {
    add(`word ${word}`, WEIGHTS.word);
    for (const letters of lettersOf(word)) add(letters, WEIGHTS.letters);
  }
  return features;
}

function toUnitLength(features: Features): Features {
  const length = Math.hypot(...features.values()) || 1;
  return new Map([...features].map(([feature, weight]) => [feature, weight / length]));
}

/** Compares the whole of a text with the whole of an entry: the cosine between them, where what few texts have in them counts for more. */
export function createLikeness(entries: readonly { id: string; texts: readonly Text[] }[]): Likeness {
  const read = entries.map(({ id, texts }) => ({ id, texts: texts.map(featuresOf) }));
  const total = entries.reduce((sum, { texts }) => sum + texts.length, 0);
  const spread = new Map<string, number>();
  for (const feature of read.flatMap(({ texts }) => texts.flatMap((features) => [...features.keys()])))
    spread.set(feature, (spread.get(feature) ?? 0) + 1);
  const weigh = (features: Features): Features =>
    toUnitLength(
      new Map(
        [...features].map(([feature, weight]) => [feature, weight * Math.log(1 + total / (spread.get(feature) ?? 1))]),
      ),
    );

  const holders = new Map<string, { id: string; weight: number }[]>();
  for (const { id, texts } of read) {
    const sums: Features = new Map();
    for (const features of texts)
      for (const [feature, weight] of weigh(features)) sums.set(feature, (sums.get(feature) ?? 0) + weight);
    // The root keeps what is said often from hiding what is said once.
    for (const [feature, weight] of toUnitLength(
      new Map([...sums].map(([feature, sum]) => [feature, Math.sqrt(sum)])),
    )) {
      const known = holders.get(feature);
      if (known) known.push({ id, weight });
      else holders.set(feature, [{ id, weight }]);
    }
  }

  return (text) => {
    const likeness = new Map<string, number>();
    for (const [feature, weight] of weigh(featuresOf(text))) {
      for (const holder of holders.get(feature) ?? [])
        likeness.set(holder.id, (likeness.get(holder.id) ?? 0) + weight * holder.weight);
    }
    return likeness;
  };
}
