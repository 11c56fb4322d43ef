// Long run: a tool of the benchmarks.
import { describe, expect, test } from '@jest/globals';
import { divide, readCorpus } from './corpus.js';
import { extractFeatures, RATE } from './features.js';
import { trainRecogniser, type Sample } from './recogniser.js';
import {
  compare,
  createRandom,
  errorRate,
  firstGuess,
  nearness,
  type Heard,
  type Trial,
  type Voice,
} from './trials.js';

const SPEAKERS = 12;
const RECORDINGS = 10;
const DIMENSIONS = 8;

/** Roughly normal, by the sum of uniform numbers. */
const around = (random: () => number): number =>
  Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);

/** Speakers at random places, and recordings that are spread about them. */
function invent(noise: number, random = createRandom()): Sample[] {
  return Array.from({ length: SPEAKERS }, (_, index) => {
    const own = Array.from({ length: DIMENSIONS }, () => around(random));
    return Array.from({ length: RECORDINGS }, () => ({
      speaker: `speaker ${index}`,
      features: own.map((value) => value + noise * around(random)),
    }));
  }).flat();
}

const asVoices = (samples: Sample[]): Voice[] => samples.map(({ speaker, features }) => ({ speaker, place: features }));

describe('errorRate', () => {
  test.each([
    ['separate scores', [3, 4, 5], [0, 1, 2], 0],
    ['equal scores', [1, 2, 3, 4], [1, 2, 3, 4], 50],
    ['one of four on the wrong side', [1, 5, 6, 7], [0, 0.5, 0.7, 5.5], 25],
  ])('of %s', (_name, same, different, expected) => {
    const speakers = ['one', 'other'];
    const trials: Trial[] = speakers.flatMap((enrolled) =>
      speakers.flatMap((tried) => (enrolled === tried ? same : different).map((score) => ({ enrolled, tried, score }))),
    );
    expect(Math.abs(errorRate(trials).percent - expected)).toBeLessThan(15);
  });
});

describe('compare and errorRate', () => {
  test('tell clear speakers apart, and guess between voices without a speaker', () => {
    const rateOf = (noise: number): number => {
      const voices = asVoices(invent(noise));
      return errorRate(compare(voices, voices, 5)).percent;
    };
    expect(rateOf(0.1)).toBeLessThan(1);
    expect(rateOf(2)).toBeGreaterThan(rateOf(0.5));
    expect(rateOf(50)).toBeGreaterThan(40);
  });

  test('the interval encloses the rate', () => {
    const voices = asVoices(invent(1.5));
    const { percent, interval } = errorRate(compare(voices, voices, 1));
    expect(interval[0]).toBeLessThanOrEqual(percent);
    expect(interval[1]).toBeGreaterThanOrEqual(percent);
    expect(interval[1] - interval[0]).toBeGreaterThan(1);
  });

  test('never compares a voice with itself, and forgives what all tried voices have in common', () => {
    const voices = asVoices(invent(0.1));
    expect(compare(voices, voices, 5)).toHaveLength(6 * SPEAKERS * (SPEAKERS * RECORDINGS - 5));
    const moved = voices.map(({ speaker, place }) => ({ speaker, place: place.map((value) => value + 100) }));
    expect(errorRate(compare(voices, moved, 5)).percent).toBeLessThan(1);
  });
});

describe('among people whose real recordings are known', () => {
  /** @param spread of the recordings of a speaker */
  const people = (spread: number): Heard[] =>
    invent(spread).map(({ speaker, features }, index) => ({
      speaker,
      place: features,
      recording: `recording ${index}`,
      kind: Number(speaker.split(' ')[1]) % 2 === 0 ? 'high' : 'low',
    }));
  const messagesOf = (
    known: readonly Heard[],
    change: (place: readonly number[], index: number) => number[],
  ): Heard[] =>
    known
      .filter(({ speaker }) => ['speaker 0', 'speaker 1', 'speaker 2', 'speaker 3'].includes(speaker))
      .map((voice, index) => ({ ...voice, place: change(voice.place, index) }));

  test('the speaker of an unaltered message comes first, and another one does not', () => {
    const known = people(0.1);
    const {
      mean,
      worst,
      null: another,
    } = firstGuess(
      known,
      messagesOf(known, (place) => [...place]),
      5,
    );
    expect([mean, worst]).toEqual([100, 100]);
    expect(another).toBeLessThan(30);
    expect(
      nearness(
        known,
        messagesOf(known, (place) => [...place]),
      ),
    ).toEqual({ mean: 100, worst: 100 });
  });

  test('a message without its speaker identifies no speaker, and one speaker who is not hidden stands out', () => {
    const known = people(0.1);
    const random = createRandom();
    const hidden = messagesOf(known, (place, index) =>
      index < RECORDINGS ? [...place] : place.map(() => around(random)),
    );
    const { mean, worst } = firstGuess(known, hidden, 5);
    expect(worst).toBe(100);
    expect(mean).toBeLessThan(60);
    expect(nearness(known, hidden)).toEqual({ mean: 25, worst: 100 });
  });
});

test('a recogniser learns which features tell speakers apart', () => {
  const random = createRandom();
  const disturbed = (samples: Sample[]): Sample[] =>
    samples.map(({ speaker, features }) => ({
      speaker,
      features: [...features, ...features.map(() => 30 * around(random))],
    }));
  const recogniser = trainRecogniser(disturbed(invent(0.3, random)));
  const others = disturbed(invent(0.3, random));
  const rate = (place: (features: readonly number[]) => readonly number[]): number => {
    const voices = others.map(({ speaker, features }) => ({ speaker, place: place(features) }));
    return errorRate(compare(voices, voices, 1)).percent;
  };
  expect(rate((features) => features)).toBeGreaterThan(40);
  expect(rate(recogniser)).toBeLessThan(10);
});

test('features tell a high voice from a low one, and one formant from another, but not loud from quiet', () => {
  const voice = (pitch: number, formant: number, gain = 1): Float32Array => {
    let [last, before] = [0, 0];
    const random = createRandom();
    return Float32Array.from({ length: 2 * RATE }, (_, index) => {
      const pulse = index % Math.round(RATE / pitch) === 0 ? gain : 0;
      const angle = (2 * Math.PI * formant) / RATE;
      const value = pulse + 0.001 * gain * random() + 2 * 0.97 * Math.cos(angle) * last - 0.97 ** 2 * before;
      [before, last] = [last, value];
      return value;
    });
  };
  const distance = (one: number[], other: number[]): number =>
    Math.hypot(...one.map((value, index) => value - (other[index] ?? 0)));
  const low = extractFeatures(voice(100, 700));
  expect(distance(low, extractFeatures(voice(100, 700, 0.3)))).toBeLessThan(1);
  expect(distance(low, extractFeatures(voice(100, 900)))).toBeGreaterThan(3);
  expect((extractFeatures(voice(200, 700)).at(-1) ?? 0) - (low.at(-1) ?? 0)).toBeCloseTo(Math.LN2, 1);
});

describe('a corpus', () => {
  const speaker = (name: string, count: number) => ({
    name,
    recordings: Array.from({ length: count }, (_, i) => `${i}`),
  });

  test('a corpus is divided into speakers with enough recordings and others', () => {
    const many = Array.from({ length: 10 }, (_, index) => speaker(`many ${index}`, 12));
    const few = Array.from({ length: 40 }, (_, index) => speaker(`few ${index}`, 1));
    const { tested, background } = divide([...few, ...many]);
    expect(tested.map(({ recordings }) => recordings.length)).toEqual(Array(10).fill(10));
    expect(background).toHaveLength(40);
  });

  test('a corpus in which all have enough recordings is divided, too', () => {
    const { tested, background } = divide(Array.from({ length: 80 }, (_, index) => speaker(`${index}`, 20)));
    expect([tested.length, background.length]).toEqual([20, 60]);
  });

  test('a missing corpus is asked for', async () => {
    await expect(readCorpus(undefined)).rejects.toThrow(/too few.*ANONYMITY_CORPUS.*LibriSpeech/);
  });
});
