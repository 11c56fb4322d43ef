export interface Voice {
  speaker: string;
  place: readonly number[];
}

/** Original or altered, of one sex. */
export interface Heard extends Voice {
  /** Shared by a recording and its altered version. */
  recording: string;
  /** Only voices of one kind can be confused. */
  kind: string;
}

/** Correct guesses of the speaker of one altered message, in percent. */
export interface FirstGuess {
  mean: number;
  /** Of the least hidden speaker. */
  worst: number;
  /** With another speaker in place of the true one: chance, and the common sound of recordings. */
  null: number;
}

/** In percent. */
export interface Nearness {
  mean: number;
  worst: number;
}

export interface Trial {
  enrolled: string;
  tried: string;
  score: number;
}

export interface ErrorRate {
  /** Percent: 50 is chance, 0 is certainty. */
  percent: number;
  /** 95 % over speakers. */
  interval: [number, number];
}

const REPEATS = 6;
const RESAMPLINGS = 400;

/** Deterministic: D. H. Lehmer (1951). */
export function createRandom(): () => number {
  let state = 20_260_101;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/**
 * Cosine between each voice and the mean of a few enrolled voices of each speaker, which change between repeats.
 * @param enrolled may equal `tried`; no voice is compared with itself
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

/** Equal error rate, with a bootstrap over speakers. */
export function errorRate(trials: readonly Trial[], random: () => number = createRandom()): ErrorRate {
  const speakers = [...new Set(trials.map(({ enrolled }) => enrolled))];
  const numbers = new Map(speakers.map((speaker, number) => [speaker, number]));
  const sorted = trials
    .map(({ enrolled, tried, score }) => ({ one: numbers.get(enrolled) ?? 0, other: numbers.get(tried) ?? 0, score }))
    .sort((a, b) => a.score - b.score);
  /** @param times weight of each speaker */
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

/** @param sorted by score. @returns 0 to 1, NaN without one of the kinds */
function weightedErrorRate(
  sorted: readonly { one: number; other: number; score: number }[],
  times: readonly number[],
): number {
  // A speaker drawn twice is the same person, so a same pair counts once per draw.
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

/**
 * How often the true speaker comes first among people of the same kind with known real recordings.
 * @param known excludes the source of the message
 * @param count includes the true speaker
 */
export function firstGuess(known: readonly Heard[], tried: readonly Heard[], count: number): FirstGuess {
  const speakers = [...new Set(tried.map(({ speaker }) => speaker))];
  const kindOf = new Map(known.map(({ speaker, kind }) => [speaker, kind]));
  const others = [...kindOf.keys()].filter((speaker) => !speakers.includes(speaker));
  const placeOf = (speaker: string, without = ''): number[] =>
    meanOf(known.filter((voice) => voice.speaker === speaker && voice.recording !== without).map(({ place }) => place));
  const places = new Map([...speakers, ...others].map((speaker) => [speaker, placeOf(speaker)]));

  /** Probability that no drawn other is nearer. */
  const chanceOf = (score: number, scores: readonly number[]): number => {
    const nearer = scores.filter((other) => other > score).length;
    let chance = 1;
    for (let drawn = 0; drawn < Math.min(count - 1, scores.length); drawn += 1)
      chance *= Math.max(scores.length - nearer - drawn, 0) / (scores.length - drawn);
    return 100 * chance;
  };
  const results = tried.map(({ speaker, recording, place }) => {
    const alike = (candidate: string): boolean => kindOf.get(candidate) === kindOf.get(speaker);
    const scores = others.filter(alike).map((other) => cosine(place, places.get(other) ?? []));
    return {
      speaker,
      chance: chanceOf(cosine(place, placeOf(speaker, recording)), scores),
      nulls: speakers
        .filter((other) => other !== speaker && alike(other))
        .map((other) => chanceOf(cosine(place, places.get(other) ?? []), scores)),
    };
  });
  const means = meansBySpeaker(results.map(({ speaker, chance }) => ({ speaker, value: chance })));
  return { mean: average(means), worst: Math.max(...means), null: average(results.flatMap(({ nulls }) => nulls)) };
}

/** Of the others. */
const NEARER_THAN = 0.9;

/** Near to their recording, and nearer than nine in ten others. */
export function nearness(known: readonly Heard[], tried: readonly Heard[]): Nearness {
  const results = tried.flatMap(({ speaker, recording, place }) => {
    const own = known.filter((voice) => voice.speaker === speaker);
    const original = own.find((voice) => voice.recording === recording);
    if (original === undefined) return [];
    const least = Math.min(
      ...own.flatMap((one, index) => own.slice(index + 1).map((other) => cosine(one.place, other.place))),
    );
    const others = known.filter((voice) => voice.speaker !== speaker && voice.kind === original.kind);
    const score = cosine(place, original.place);
    const farther = others.filter((other) => cosine(place, other.place) < score).length;
    return [{ speaker, value: score >= least && farther >= NEARER_THAN * others.length ? 100 : 0 }];
  });
  const means = meansBySpeaker(results);
  return { mean: average(means), worst: Math.max(...means) };
}

function meansBySpeaker(results: readonly { speaker: string; value: number }[]): number[] {
  const speakers = [...new Set(results.map(({ speaker }) => speaker))];
  return speakers.map((name) => average(results.filter(({ speaker }) => speaker === name).map(({ value }) => value)));
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Many altered voices reveal their mean, which says nothing about a speaker. */
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
