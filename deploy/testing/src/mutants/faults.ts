import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkoutRoot, inCheckout, SetupError } from '@najwa/dev/bootstrap/environment';
import { packageOf, type ReachedSuite } from '../runner/changed.js';
import type { Project, Suite, SuiteTimes } from '../runner/suites.js';

/** One wrong line of product code. */
export interface Fault {
  /** Relative to the checkout. */
  file: string;
  /** Once in the file, in one line. */
  before: string;
  after: string;
  /** The effect that users notice, in one sentence. */
  notice: string;
  /** The suite that must notice it, for a side channel. Any by default. */
  seenBy?: string;
  /** The cheapest, found by `npm run mutants -- --matrix`. */
  caughtBy?: string[];
}

const LIST = 'deploy/check/mutants.json';

export async function readFaults(): Promise<Fault[]> {
  return JSON.parse(await readFile(inCheckout(LIST), 'utf8')) as Fault[];
}

/** Formatted. */
export async function writeFaults(faults: readonly Fault[]): Promise<void> {
  const short = (text: string): string =>
    text.replace(/\[\n\s+("[^"]+"),?\n?\s*("[^"]+")?\n?\s*\]/g, (_list, first: string, second?: string) => {
      const inline = second === undefined ? `[${first}]` : `[${first}, ${second}]`;
      return `    "caughtBy": ${inline}`.length > 120 ? _list : inline;
    });
  await writeFile(inCheckout(LIST), `${short(JSON.stringify(faults, null, 2))}\n`);
}

export const keyOf = ({ file, before, after }: Fault): string => `${file}: ${before} → ${after}`;

/** @throws {SetupError} if its text is not exactly once in the file */
export function applyFault(text: string, { file, before, after }: Fault): string {
  const parts = text.split(before);
  if (parts.length !== 2)
    throw new SetupError(
      `${LIST}: ${JSON.stringify(before)} stands ${parts.length - 1} times in ${file}, and must stand there once.`,
    );
  return parts.join(after);
}

/**
 * All changed files, by all faults.
 * @throws {SetupError} if one cannot be applied
 */
export async function applyAll(faults: readonly Fault[], root = checkoutRoot): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const fault of faults) {
    const text = texts.get(fault.file) ?? (await readFile(path.join(root, fault.file), 'utf8').catch(() => ''));
    texts.set(fault.file, applyFault(text, fault));
  }
  return texts;
}

/** Of folders and file name, without extension. */
const wordsIn = (file: string): string[] => file.replace(/(\.test)?\.\w+$/, '').match(/[A-Z]?[a-z0-9]+/g) ?? [];

const nameOf = (file: string): string =>
  path.posix
    .basename(file)
    .replace(/(\.test)?\.\w+$/, '')
    .toLowerCase();

/** Not recorded yet. */
const UNKNOWN_SECONDS = 10;

/** Likely and cheap suites first: same name, fewest imports away, same folder, shortest. */
function likeliestFirst<S extends ReachedSuite>(file: string, suites: readonly S[], times: SuiteTimes): S[] {
  const words = new Set(wordsIn(file));
  const rank = (suite: ReachedSuite): number[] => [
    nameOf(suite.file) === nameOf(file) ? 0 : 1,
    suite.distance,
    -wordsIn(suite.file).filter((word) => words.has(word)).length,
    times[suite.file]?.seconds ?? UNKNOWN_SECONDS,
  ];
  const ranked = suites.map((suite) => ({ suite, rank: rank(suite) }));
  const compare = (a: readonly number[], b: readonly number[]): number =>
    a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ suite }) => suite);
}

export const NEEDS_NO_SERVERS: readonly Project[] = ['unit', 'web'];

/** In rounds: what the likely and cheap ones catch spares the others. */
const ROUNDS: readonly { projects: readonly Project[]; isOfPackage?: true }[] = [
  { projects: NEEDS_NO_SERVERS, isOfPackage: true },
  { projects: ['component'], isOfPackage: true },
  { projects: NEEDS_NO_SERVERS },
  { projects: ['component'] },
  { projects: ['journeys'] },
  { projects: ['browser'] },
];

/**
 * Each suite is in the first round that takes it.
 * @param hint caught the fault before; the first round
 * @param times seconds by file
 */
export function roundsOf(
  file: string,
  suites: readonly ReachedSuite[],
  hint: string | undefined,
  times: SuiteTimes,
): ReachedSuite[][] {
  let left = suites.filter((suite) => suite.file !== hint);
  const rounds = ROUNDS.map(({ projects, isOfPackage }) => {
    const taken = left.filter(
      (suite) => projects.includes(suite.project) && (!isOfPackage || packageOf(suite.file) === packageOf(file)),
    );
    left = left.filter((suite) => !taken.includes(suite));
    return likeliestFirst(file, taken, times);
  });
  return [suites.filter((suite) => suite.file === hint), ...rounds].filter(({ length }) => length > 0);
}

/** By name, package, words of the path and cost: most suites that run a line of `common` are about other code. */
export function mostRelatedFirst<S extends Suite>(file: string, suites: readonly S[], times: SuiteTimes): S[] {
  const related = suites.map((suite): ReachedSuite & { suite: S } => ({
    ...suite,
    suite,
    distance: packageOf(suite.file) === packageOf(file) ? 0 : 1,
  }));
  return likeliestFirst(file, related, times).map(({ suite }) => suite);
}

/** Suites that are tried on one fault in a run of Jest, at first and if there is room. */
const BATCH = 3;
const MOST_OF_ONE = 8;
/** Suites of a run of Jest. */
const MOST_SUITES = 24;

export interface Trial {
  fault: Fault;
  /** Not tried yet, the next one first. */
  suites: readonly Suite[];
}

/**
 * Trials of different faults that one run of Jest can make: each suite runs the lines of its own fault only, so a
 * failure has one cause.
 * @param trials those to choose from, the cheapest first
 * @param coverage all suites that run a fault, by its key
 */
export function chooseRound(trials: readonly Trial[], coverage: ReadonlyMap<string, readonly Suite[]>): Trial[] {
  const runs = (suites: readonly Suite[], { fault }: Trial): boolean =>
    suites.some((suite) => coverage.get(keyOf(fault))?.includes(suite));
  const round: Trial[] = [];
  let free = MOST_SUITES;
  for (const { fault, suites } of trials) {
    const trial = { fault, suites: suites.slice(0, Math.min(BATCH, free)) };
    const isApart = (other: Trial): boolean =>
      other.fault.file !== fault.file && !runs(other.suites, trial) && !runs(trial.suites, other);
    if (trial.suites.length === 0 || !round.every(isApart)) continue;
    round.push(trial);
    free -= trial.suites.length;
  }
  for (const trial of round) {
    const others = round.filter((other) => other !== trial);
    const all = trials.find(({ fault }) => fault === trial.fault)?.suites ?? [];
    for (const suite of all.slice(trial.suites.length, MOST_OF_ONE)) {
      if (free === 0 || others.some((other) => runs([suite], other) || other.suites.includes(suite))) break;
      trial.suites = [...trial.suites, suite];
      free -= 1;
    }
  }
  return round;
}
