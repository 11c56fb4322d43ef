import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { provideInfrastructure } from '@najwa/dev/infrastructure';
import type { Step } from '@najwa/dev/reporter';
import type { VoiceType } from '@najwa/proto/voice';
import { makeTestFolder } from '@najwa/testing';
import PQueue from 'p-queue';
import { readCorpus, type Corpus, type Speaker } from './anonymity/corpus.js';
import { extractFeatures, RATE } from './anonymity/features.js';
import { trainRecogniser, type Recogniser, type Sample } from './anonymity/recogniser.js';
import {
  compare,
  errorRate,
  firstGuess,
  nearness,
  type ErrorRate,
  type FirstGuess,
  type Heard,
  type Nearness,
} from './anonymity/trials.js';
import { createVoices, type Voices } from './anonymity/voices.js';
import type { OtherBenchmark } from './benchmark.js';
import { atLeast, atMost, type BenchResult } from './result.js';
import { median, rounded } from './statistics.js';

type Alter = (path: string) => Promise<Float32Array>;

/** Equal error rates: higher is better hidden. */
interface Hidden {
  /** Five recordings of the real voice. */
  real_voice_known: ErrorRate;
  /** Five altered messages. */
  five_messages_known: ErrorRate;
  /** One altered message. */
  one_message_known: ErrorRate;
  /** The same, trained on altered voices. */
  five_known_trained: ErrorRate;
  one_known_trained: ErrorRate;
  /** Rank one among people with known real recordings. */
  first_of_twenty: FirstGuess;
  /** Messages as near to their recording as the speaker's recordings are to each other. */
  near: Nearness;
}

/** Original or altered. */
interface Recorded extends Sample {
  recording: string;
}

/** Candidates for the speaker of a message. */
const PEOPLE = sizes({ full: 20, smoke: 2 });

/** Splits voices by pitch: across it, they are never confused. */
const KIND_HZ = 160;

/** Known messages of a speaker. */
const KNOWN = sizes({ full: 5, smoke: 1 });

/** Cuts background recordings, to hear each speaker several times. */
const SEGMENT_SECONDS = sizes({ full: 5, smoke: 1 });

/** Altering all would take most of the time. */
const TRAINING_SPEAKERS = 100;

const VOICE_TYPES = sizes<readonly VoiceType[]>({ full: ['male', 'female'], smoke: ['male'] });

/**
 * How well voices are hidden: a speaker recogniser, trained on background speakers, distinguishes tested speakers by
 * their real voices, after a plain pitch shift, and after the alteration.
 */
export const anonymity: OtherBenchmark = {
  async run({ reporter, step }) {
    const corpus = await readCorpus(process.env['ANONYMITY_CORPUS']);
    const folder = await makeTestFolder('najwa-anonymity-');
    const ends: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
    try {
      const ffmpeg = await provideInfrastructure({ dataDir: folder, wanted: ['ffmpeg'], reporter, persistent: false });
      ends.push(() => ffmpeg.stop());
      const voices = await createVoices(ffmpeg.env['FFMPEG_BIN'] ?? '');
      ends.push(() => voices.close());
      return await measure(corpus, voices, step);
    } finally {
      for (const end of ends.reverse()) await end();
    }
  },
};

async function measure(corpus: Corpus, voices: Voices, step: Step): Promise<BenchResult> {
  step.doing('learning from the voices of others');
  const unchanged: Alter = (path) => voices.original(path);
  const background = await samplesOf(corpus.background, unchanged, SEGMENT_SECONDS);
  const original = await samplesOf(corpus.tested, unchanged);
  const untrained = trainRecogniser(background);
  const training = corpus.background.slice(0, TRAINING_SPEAKERS);
  const kinds = kindsOf([...original, ...background]);
  const heard = (samples: readonly Recorded[]): Heard[] =>
    samples.map(({ speaker, features, recording }) => ({
      speaker,
      place: untrained(features),
      recording,
      kind: kinds.get(speaker) ?? '',
    }));
  const known = heard([...original, ...background]);

  const hiddenBy = async (alter: Alter): Promise<Hidden> => {
    const tried = await samplesOf(corpus.tested, alter);
    const trained = trainRecogniser(await samplesOf(training, alter, SEGMENT_SECONDS));
    const linked = (recogniser: Recogniser, known: number): ErrorRate => {
      const placed = place(tried, recogniser);
      return rate(errorRate(compare(placed, placed, known)));
    };
    return {
      real_voice_known: rate(errorRate(compare(place(original, untrained), place(tried, untrained), KNOWN))),
      five_messages_known: linked(untrained, KNOWN),
      one_message_known: linked(untrained, 1),
      five_known_trained: linked(trained, KNOWN),
      one_known_trained: linked(trained, 1),
      first_of_twenty: allRounded({ ...firstGuess(known, heard(tried), PEOPLE) }),
      near: allRounded({ ...nearness(known, heard(tried)) }),
    };
  };

  const placed = place(original, untrained);
  const results: Record<string, Hidden> = {};
  for (const voiceType of VOICE_TYPES) {
    step.doing(`shifting the pitch, ${voiceType}`);
    results[`shifted_${voiceType}`] = await hiddenBy((path) => voices.shifted(path, voiceType));
    step.doing(`altering, ${voiceType}`);
    results[`altered_${voiceType}`] = await hiddenBy((path) => voices.altered(path, voiceType));
  }
  const aims = VOICE_TYPES.flatMap((voiceType) => {
    const {
      first_of_twenty: first,
      real_voice_known: real,
      five_messages_known: five,
    } = results[`altered_${voiceType}`] ?? {};
    return [
      [`${voiceType}_first_of_twenty_worst`, atMost(first?.worst ?? Number.NaN, 25)],
      [`${voiceType}_first_of_twenty`, atMost(first?.mean ?? Number.NaN, 10)],
      [`${voiceType}_real_voice_known`, atLeast(real?.percent ?? Number.NaN, 43)],
      [`${voiceType}_five_messages_known`, atLeast(five?.percent ?? Number.NaN, 36)],
    ];
  });
  return {
    bench: 'anonymity',
    aims: Object.fromEntries(aims) as BenchResult['aims'],
    original: {
      five_recordings_known: rate(errorRate(compare(placed, placed, KNOWN))),
      one_recording_known: rate(errorRate(compare(placed, placed, 1))),
    },
    ...results,
    speakers: { tested: corpus.tested.length, background: corpus.background.length, trained_on: training.length },
    note:
      'Error rates of a speaker recogniser in percent, with 95 % intervals over speakers. 50 is chance. ' +
      'First of twenty and near in percent of messages: chance is 5.',
  };
}

const place = (samples: readonly Sample[], recogniser: Recogniser) =>
  samples.map(({ speaker, features }) => ({ speaker, place: recogniser(features) }));

/** Or of segments. Parallel, by cores. */
async function samplesOf(speakers: readonly Speaker[], alter: Alter, segmentSeconds = Infinity): Promise<Recorded[]> {
  const queue = new PQueue({ concurrency: availableParallelism() });
  const samples = await queue.addAll(
    speakers.flatMap(({ name, recordings }) =>
      recordings.map((path) => async () => {
        const sound = await alter(path);
        return segmentsOf(sound, segmentSeconds).map((part) => ({
          speaker: name,
          features: extractFeatures(part),
          recording: path,
        }));
      }),
    ),
  );
  return samples.flat();
}

/** By the median of the last feature, the pitch. */
function kindsOf(samples: readonly Recorded[]): Map<string, string> {
  const speakers = [...new Set(samples.map(({ speaker }) => speaker))];
  return new Map(
    speakers.map((name) => {
      const pitches = samples.filter(({ speaker }) => speaker === name).map(({ features }) => features.at(-1) ?? 0);
      return [name, median(pitches) > Math.log(KIND_HZ) ? 'high' : 'low'];
    }),
  );
}

/** Drops a rest below half a segment. */
function segmentsOf(sound: Float32Array, seconds: number): Float32Array[] {
  const length = Math.min(seconds * RATE, sound.length);
  const count = Math.max(1, Math.round(sound.length / length));
  return Array.from({ length: count }, (_, index) => sound.subarray(index * length, (index + 1) * length));
}

const allRounded = <Name extends string>(figures: Record<Name, number>): Record<Name, number> =>
  Object.fromEntries(Object.entries<number>(figures).map(([name, value]) => [name, rounded(value, 1)])) as Record<
    Name,
    number
  >;

const rate = ({ percent, interval: [low, high] }: ErrorRate): ErrorRate => ({
  percent: rounded(percent, 1),
  interval: [rounded(low, 1), rounded(high, 1)],
});
