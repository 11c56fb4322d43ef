import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { asStep, type Reporter } from '@najwa/dev/reporter';
import { packageOf } from '../runner/changed.js';
import { runJest, WORKERS } from '../runner/jest-run.js';
import { listSuites, readTimes, type Project, type Suite, type SuiteTimes } from '../runner/suites.js';
import { provideTestInfrastructure, type TestInfrastructure } from '../runner/test-infrastructure.js';
import { copyCheckout, type Copy } from './copy.js';
import {
  applyAll,
  chooseRound,
  keyOf,
  mostRelatedFirst,
  NEEDS_NO_SERVERS,
  readFaults,
  writeFaults,
  type Fault,
  type Trial,
} from './faults.js';

/** Suites that must catch a fault. */
const ENOUGH = 2;
/** Their suites run the code in their own process, so coverage is known. */
const IN_PROCESS: readonly Project[] = ['unit', 'web', 'component'];
/** Short: a busy machine delays, a fault prevents. */
const PATIENCE_MS = '15000';

const IN_ORDER = [`--testSequencer=${inCheckout('deploy/testing/jest/as-given.js')}`, `--maxWorkers=${WORKERS}`];

const FOLDER = inCheckout('.artifacts/matrix');
const TRIED = path.join(FOLDER, 'tried.json');

/** By fault and suite. */
type Tried = Record<string, Record<string, boolean>>;

type Env = Readonly<Record<string, string>>;

const coverageOf = (suite: string): string => path.join(FOLDER, 'coverage', `${suite.replaceAll('/', '+')}.json`);

/**
 * Writes lines of faults for `jest/fault-coverage.js`. Discards coverage older than a fault.
 * @returns the folder
 */
async function prepareCoverage(faults: readonly Fault[]): Promise<string> {
  const lines: Record<string, { key: string; line: number }[]> = {};
  for (const fault of faults) {
    const [start = ''] = (await readFile(inCheckout(fault.file), 'utf8')).split(fault.before);
    (lines[fault.file] ??= []).push({ key: keyOf(fault), line: start.split('\n').length });
  }
  const folder = path.join(FOLDER, 'coverage');
  const list = path.join(folder, 'faults.json');
  const recorded = await readFile(list, 'utf8').catch(() => '');
  if (faults.some((fault) => !recorded.includes(JSON.stringify(keyOf(fault)))))
    await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(list, JSON.stringify(lines));
  return folder;
}

/** By fault. */
async function readCoverage(suites: readonly Suite[]): Promise<Map<string, Suite[]>> {
  const found = new Map<string, Suite[]>();
  for (const suite of suites) {
    const keys = JSON.parse(await readFile(coverageOf(suite.file), 'utf8').catch(() => '[]')) as string[];
    for (const key of keys) found.set(key, [...(found.get(key) ?? []), suite]);
  }
  return found;
}

const costOf = (file: string, times: SuiteTimes): number => times[file]?.processor ?? times[file]?.seconds ?? 10;

/** The everyday run's first, the cheapest first. */
export const cheapestFirst = (suites: readonly Suite[], times: SuiteTimes): Suite[] =>
  [...suites].sort((a, b) => Number(a.isLong) - Number(b.isLong) || costOf(a.file, times) - costOf(b.file, times));

/** Applies the faults of a round, and runs its suites. @returns whether each of them failed, by its file */
async function runRound(
  round: readonly Trial[],
  copy: Copy,
  env: Env,
  signal: AbortSignal,
): Promise<Map<string, boolean>> {
  const faults = round.map(({ fault }) => fault);
  const texts = await applyAll(faults, copy.root);
  for (const [file, text] of texts) await copy.write(file, text);
  try {
    const paths = round.flatMap(({ suites }) => suites.map(({ file }) => path.join(copy.root, file)));
    const cache = `--cacheDirectory=${path.join(copy.root, 'node_modules/.cache/jest')}`;
    const { suites } = await runJest([...IN_ORDER, cache, '--runTestsByPath', ...paths], {
      root: copy.root,
      env: { ...env, NAJWA_PATIENCE_MS: PATIENCE_MS, NAJWA_ENDS_AT_FAILURE: '1' },
      signal,
    });
    return new Map(suites.map(({ file, failures }) => [file, failures.length > 0]));
  } finally {
    await copy.restore(texts.keys());
  }
}

/**
 * Records the cheapest suites that catch each fault. Progress in `.artifacts` allows resuming.
 * @param projects all by default
 */
export async function buildMatrix({
  reporter,
  signal,
  projects: named,
}: {
  reporter: Reporter;
  signal: AbortSignal;
  projects: readonly Project[];
}): Promise<number> {
  const projects = named.length > 0 ? named : IN_PROCESS;
  const faults = await readFaults();
  const suites = (await listSuites()).filter(({ project }) => projects.includes(project));
  let servers: Promise<TestInfrastructure> | undefined;
  const envFor = async (some: readonly Suite[]): Promise<Env> =>
    some.every(({ project }) => NEEDS_NO_SERVERS.includes(project))
      ? {}
      : (await (servers ??= provideTestInfrastructure({ reporter, signal, needsBrowsers: false }))).env;
  const folder = await prepareCoverage(faults);
  const times = await readTimes();
  const tried: Tried = Object.fromEntries(
    faults.map((fault) => [keyOf(fault), Object.fromEntries(fault.caughtBy?.map((suite) => [suite, true]) ?? [])]),
  );
  Object.assign(tried, JSON.parse(await readFile(TRIED, 'utf8').catch(() => '{}')) as Tried);
  const verdictsOf = (fault: Fault): Record<string, boolean> => (tried[keyOf(fault)] ??= {});
  const caughtBy = (fault: Fault): Suite[] =>
    cheapestFirst(
      suites.filter(({ file }) => verdictsOf(fault)[file]),
      times,
    );
  const recordCoverage = async (some: readonly Suite[]): Promise<void> => {
    const present = new Set(await readdir(folder));
    const unknown = some.filter(({ file }) => !present.has(path.basename(coverageOf(file))));
    if (unknown.length === 0) return;
    await asStep(reporter, `Coverage of ${unknown.length} suites`, async (step) =>
      runJest([...IN_ORDER, '--runTestsByPath', ...unknown.map(({ file }) => inCheckout(file))], {
        env: { ...(await envFor(unknown)), NAJWA_FAULT_COVERAGE: folder },
        signal,
        onProgress: (ended) => step.progress(`${ended.length} files done`),
      }),
    );
  };
  const copy = await asStep(reporter, 'Copy of the checkout', () => copyCheckout());
  try {
    for (const isLong of [false, true]) {
      const some = cheapestFirst(suites, times).filter((suite) => suite.isLong === isLong);
      const enough = isLong ? 1 : ENOUGH;
      /** Faults that many suites run and few notice come last. */
      const triesOf = ({ fault }: Trial): number => Object.keys(verdictsOf(fault)).length;
      const trialsLeft = (coverage: ReadonlyMap<string, readonly Suite[]>): Trial[] =>
        faults
          .filter((fault) => caughtBy(fault).length < enough)
          .map((fault) => ({
            fault,
            suites: mostRelatedFirst(
              fault.file,
              (coverage.get(keyOf(fault)) ?? []).filter(({ file }) => verdictsOf(fault)[file] === undefined),
              times,
            ),
          }))
          .filter((trial) => trial.suites.length > 0)
          .sort((a, b) => triesOf(a) - triesOf(b) || a.suites.length - b.suites.length);
      if (faults.every((fault) => caughtBy(fault).length >= enough)) continue;
      await recordCoverage(some);
      const coverage = await readCoverage(some);
      for (let trials = trialsLeft(coverage); trials.length > 0; trials = trialsLeft(coverage)) {
        const round = chooseRound(trials, coverage);
        await asStep(reporter, `${round.length} of ${trials.length} faults left`, async () => {
          const failed = await runRound(round, copy, await envFor(round.flatMap((trial) => trial.suites)), signal);
          for (const trial of round)
            for (const { file } of trial.suites) verdictsOf(trial.fault)[file] = failed.get(file) ?? false;
        });
        for (const { fault } of round) {
          const files = caughtBy(fault).slice(0, ENOUGH);
          if (files.length > 0) fault.caughtBy = files.map(({ file }) => file);
        }
        await writeFile(TRIED, JSON.stringify(tried, null, 1));
        await writeFaults(faults);
      }
    }
  } finally {
    await copy.remove();
    await servers?.then((infrastructure) => infrastructure.stop()).catch(() => undefined);
  }
  return printMatrix();
}

/** By part of the code, with what each suite catches first. */
export async function printMatrix(): Promise<number> {
  const faults = await readFaults();
  const everyday = new Set((await listSuites()).filter(({ isLong }) => !isLong).map(({ file }) => file));
  const row = (name: string, ...cells: (string | number)[]): string =>
    `${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(10)).join('')}`;
  const rowOf = (name: string, part: readonly Fault[]): string => {
    const caught = part.filter(({ caughtBy }) => caughtBy !== undefined);
    const ofEveryday = caught.filter(({ caughtBy = [] }) => caughtBy.some((file) => everyday.has(file)));
    return row(name, part.length, ofEveryday.length, caught.length, part.length - caught.length);
  };
  const parts = [...new Set(faults.map(({ file }) => packageOf(file)))].sort();
  const firsts = new Map<string, number>();
  for (const { caughtBy: [first] = [] } of faults) if (first) firsts.set(first, (firsts.get(first) ?? 0) + 1);
  const lines = [
    row('part', 'faults', 'everyday', 'all', 'not yet'),
    ...parts.map((part) =>
      rowOf(
        part,
        faults.filter(({ file }) => packageOf(file) === part),
      ),
    ),
    rowOf('all', faults),
    'Faults that each suite catches first:',
    ...[...firsts].sort(([, a], [, b]) => b - a).map(([file, count]) => `${String(count).padStart(4)}  ${file}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
