/** A recording as the recogniser sees it. */
export interface Voice {
  speaker: string;
  place: readonly number[];
}

export interface Trial {
  enrolled: string;
  tried: string;
  score: number;
}

export interface ErrorRate {
  /** In percent. 50 is chance, 0 is certainty. */
  percent: number;
  /** 95 % interval over speakers. */
  interval: [number, number];
}

const REPEATS = 6;
const RESAMPLINGS = 400;

/** Deterministic, so that two runs over the same sounds agree. The generator of D. H. Lehmer (1951). */
export function createRandom(): () => number {
  let state = 20_260_101;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/**
 * Compares every voice with the mean of a few enrolled voices of every speaker, by the cosine of the angle between
 * them. Which voices are enrolled changes from repeat to repeat.
 * @param enrolled may be the same array as `tried`. A voice is never compared with itself.
 */
export function compare(
  enrolled: readonly Voice[],
  tried: readonly Voice[],
  count: number,
  random: () => number = createRandom(),
): Trial[] {
  const speakers = [...new Set(enrolled.map(({ speaker }) => speaker))];
  const known = centre(enrolled);
  const unknown = enrolled === tried ? known : centre(tried);
  return Array.from({ length: REPEATS }).flatMap(() =>
    speakers.flatMap((speaker) => {
      const chosen = shuffle(
        known.filter((voice) => voice.speaker === speaker),
        random,
      ).slice(0, count);
      const mean = meanOf(chosen.map(({ place }) => place));
      return unknown
        .filter((voice) => !chosen.includes(voice))
        .map((voice) => ({ enrolled: speaker, tried: voice.speaker, score: cosine(mean, voice.place) }));
    }),
  );
}

/** The rate at which as many same voices are missed as different ones are confused, with a bootstrap over speakers. */
export function errorRate(trials: readonly Trial[], random: () => number = createRandom()): ErrorRate {
  const speakers = [...new Set(trials.map(({ enrolled }) => enrolled))];
  const numbers = new Map(speakers.map((speaker, number) => [speaker, number]));
  const sorted = trials
    .map(({ enrolled, tried, score }) => ({ one: numbers.get(enrolled) ?? 0, other: numbers.get(tried) ?? 0, score }))
    .sort((a, b) => a.score - b.score);
  /** @param times how often each speaker counts */
  const rateOf = (times: readonly number[]): number => 100 * weightedErrorRate(sorted, times);

  const resampled = Array.from({ length: RESAMPLINGS }, () => {
    const times = speakers.map(() => 0);
    speakers.forEach(() => {
      const drawn = Math.floor(random() * speakers.length);
      times[drawn] = (times[drawn] ?? 0) + 1;
    });
    return rateOf(times);
  })
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const at = (share: number): number => resampled[Math.round(share * (resampled.length - 1))] ?? Number.NaN;
  return { percent: rateOf(speakers.map(() => 1)), interval: [at(0.025), at(0.975)] };
}

/** @param sorted by score. @returns from 0 to 1, NaN if there is nothing of one kind */
function weightedErrorRate(
  sorted: readonly { one: number; other: number; score: number }[],
  times: readonly number[],
): number {
  // A speaker who was drawn twice is no stranger to himself, so a same pair counts once for each draw.
  const weights = sorted.map(({ one, other }) => (times[one] ?? 0) * (one === other ? 1 : (times[other] ?? 0)));
  let [same, different] = [0, 0];
  sorted.forEach(({ one, other }, index) => {
    if (one === other) same += weights[index] ?? 0;
    else different += weights[index] ?? 0;
  });
  let [missed, rejected] = [0, 0];
  for (const [index, { one, other }] of sorted.entries()) {
    if (one === other) missed += weights[index] ?? 0;
    else rejected += weights[index] ?? 0;
    const [missRate, confusionRate] = [missed / same, 1 - rejected / different];
    if (missRate >= confusionRate) return (missRate + confusionRate) / 2;
  }
  return Number.NaN;
}

/** An attacker who has many altered voices knows their mean, which says nothing about a speaker. */
function centre(voices: readonly Voice[]): Voice[] {
  const mean = meanOf(voices.map(({ place }) => place));
  return voices.map(({ speaker, place }) => ({
    speaker,
    place: place.map((value, index) => value - (mean[index] ?? 0)),
  }));
}

function meanOf(places: readonly (readonly number[])[]): number[] {
  const [first = []] = places;
  return first.map((_, index) => places.reduce((sum, place) => sum + (place[index] ?? 0), 0) / places.length);
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other));
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
