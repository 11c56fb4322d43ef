import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkoutRoot, inCheckout, SetupError } from '@najwa/dev/bootstrap/environment';
import { packageOf, type ReachedSuite } from '../runner/changed.js';
import type { Project, SuiteTimes } from '../runner/suites.js';

/** One line of product code, made wrong. */
export interface Fault {
  /** Relative to the checkout. */
  file: string;
  /** Stands exactly once in the file, in one line. */
  before: string;
  after: string;
  /** The effect that somebody would notice, in one sentence. */
  notice: string;
  /** The suite that has to notice it, for the mend of a side channel. Any suite by default. */
  seenBy?: string;
  /** The cheapest suites that catch it, as `npm run mutants -- --matrix` found. */
  caughtBy?: string[];
}

const LIST = 'deploy/check/mutants.json';

export async function readFaults(): Promise<Fault[]> {
  return JSON.parse(await readFile(inCheckout(LIST), 'utf8')) as Fault[];
}

/** As the formatter wants it. */
export async function writeFaults(faults: readonly Fault[]): Promise<void> {
  const short = (text: string): string =>
    text.replace(/\[\n\s+("[^"]+"),?\n?\s*("[^"]+")?\n?\s*\]/g, (_list, first: string, second?: string) => {
      const inline = second === undefined ? `[${first}]` : `[${first}, ${second}]`;
      return `    "caughtBy": ${inline}`.length > 120 ? _list : inline;
    });
  await writeFile(inCheckout(LIST), `${short(JSON.stringify(faults, null, 2))}\n`);
}

export const keyOf = ({ file, before, after }: Fault): string => `${file}: ${before} → ${after}`;

/** @throws {SetupError} if the text that it changes does not stand exactly once in the file */
export function applyFault(text: string, { file, before, after }: Fault): string {
  const parts = text.split(before);
  if (parts.length !== 2)
    throw new SetupError(
      `${LIST}: ${JSON.stringify(before)} stands ${parts.length - 1} times in ${file}, and must stand there once.`,
    );
  return parts.join(after);
}

/**
 * The texts of all files that faults change, with all of their faults.
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

/** The words of a path: of its folders, and of the name of its file without what it ends with. */
const wordsIn = (file: string): string[] => file.replace(/(\.test)?\.\w+$/, '').match(/[A-Z]?[a-z0-9]+/g) ?? [];

const nameOf = (file: string): string =>
  path.posix
    .basename(file)
    .replace(/(\.test)?\.\w+$/, '')
    .toLowerCase();

/** For a file that no recorded run had. */
const UNKNOWN_SECONDS = 10;

/**
 * Puts the suites first that are likely to notice a fault in a file: those of its name, those that import it over the fewest
 * other files, those of its folder, and those that end soon.
 */
function likeliestFirst(file: string, suites: readonly ReachedSuite[], times: SuiteTimes): ReachedSuite[] {
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

/** Suites that run at the same time, the likely and the cheap ones first: what they catch spares the others. */
const ROUNDS: readonly { projects: readonly Project[]; isOfPackage?: true }[] = [
  { projects: NEEDS_NO_SERVERS, isOfPackage: true },
  { projects: ['component'], isOfPackage: true },
  { projects: NEEDS_NO_SERVERS },
  { projects: ['component'] },
  { projects: ['journeys'] },
  { projects: ['browser'] },
];

/**
 * Sorts suites into rounds. Each is in the first round that takes it.
 * @param hint caught the fault before, and has a round of its own, the first
 * @param times seconds of suites by their files
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
