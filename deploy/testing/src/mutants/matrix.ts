import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { asStep, type Reporter } from '@najwa/dev/reporter';
import { packageOf } from '../runner/changed.js';
import { runJest, WORKERS } from '../runner/jest-run.js';
import { listSuites, readTimes, type Project, type Suite, type SuiteTimes } from '../runner/suites.js';
import { provideTestInfrastructure, type TestInfrastructure } from '../runner/test-infrastructure.js';
import { copyCheckout, type Copy } from './copy.js';
import { applyFault, keyOf, NEEDS_NO_SERVERS, readFaults, writeFaults, type Fault } from './faults.js';

/** Suites that must catch a fault. */
const ENOUGH = 2;
/** Their suites run the code in their own process, so coverage is known. */
const IN_PROCESS: readonly Project[] = ['unit', 'web', 'component'];
/** Per run of Jest. */
const BATCH = 4;
/** Short: a busy machine delays, a fault prevents. */
const PATIENCE_MS = '15000';

const IN_ORDER = [`--testSequencer=${inCheckout('deploy/testing/jest/as-given.js')}`, `--maxWorkers=${WORKERS}`];

const FOLDER = inCheckout('.artifacts/matrix');
const TRIED = path.join(FOLDER, 'tried.json');

/** By fault and suite. */
type Tried = Record<string, Record<string, boolean>>;

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

interface Tools {
  copy: Copy;
  times: SuiteTimes;
  signal: AbortSignal;
  envFor: (suites: readonly Suite[]) => Promise<Readonly<Record<string, string>>>;
}

/** In batches, until enough have caught it. Adds verdicts. */
async function tryUntilCaught(
  fault: Fault,
  suites: readonly Suite[],
  verdicts: Record<string, boolean>,
  { copy, times, signal, envFor }: Tools,
): Promise<void> {
  const left = cheapestFirst(suites, times).filter(({ file }) => verdicts[file] === undefined);
  const isEnough = (): boolean => Object.values(verdicts).filter(Boolean).length >= ENOUGH;
  if (left.length === 0 || isEnough()) return;
  await copy.write(fault.file, applyFault(await readFile(path.join(copy.root, fault.file), 'utf8'), fault));
  try {
    while (left.length > 0 && !isEnough()) {
      const batch = left.splice(0, BATCH);
      const paths = batch.map(({ file }) => path.join(copy.root, file));
      const cache = path.join(copy.root, 'node_modules/.cache/jest');
      const run = await runJest([...IN_ORDER, `--cacheDirectory=${cache}`, '--runTestsByPath', ...paths], {
        root: copy.root,
        env: { ...(await envFor(batch)), NAJWA_PATIENCE_MS: PATIENCE_MS },
        signal,
      });
      for (const { file, failures } of run.suites) verdicts[file] = failures.length > 0;
    }
  } finally {
    await copy.restore([fault.file]);
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
  const envFor: Tools['envFor'] = async (some) =>
    some.every(({ project }) => NEEDS_NO_SERVERS.includes(project))
      ? {}
      : (await (servers ??= provideTestInfrastructure({ reporter, signal, needsBrowsers: false }))).env;
  const folder = await prepareCoverage(faults);
  const present = new Set(await readdir(folder));
  const times = await readTimes();
  const unknown = cheapestFirst(
    suites.filter(({ file }) => !present.has(path.basename(coverageOf(file)))),
    times,
  );
  const copy = await asStep(reporter, 'Copy of the checkout', () => copyCheckout());
  try {
    if (unknown.length > 0)
      await asStep(reporter, `Coverage of ${unknown.length} suites`, async (step) =>
        runJest([...IN_ORDER, '--runTestsByPath', ...unknown.map(({ file }) => inCheckout(file))], {
          env: { ...(await envFor(unknown)), NAJWA_FAULT_COVERAGE: folder },
          signal,
          onProgress: (ended) => step.progress(`${ended.length} files done`),
        }),
      );
    const coverage = await readCoverage(suites);
    const tried = JSON.parse(await readFile(TRIED, 'utf8').catch(() => '{}')) as Tried;
    for (const [index, fault] of faults.entries()) {
      const verdicts = (tried[keyOf(fault)] ??= {});
      await asStep(
        reporter,
        `${index + 1}/${faults.length} ${fault.file}`,
        () => tryUntilCaught(fault, coverage.get(keyOf(fault)) ?? [], verdicts, { copy, times, signal, envFor }),
        () => `caught by ${Object.values(verdicts).filter(Boolean).length} of ${Object.keys(verdicts).length} suites`,
      );
      const caughtBy = cheapestFirst(
        suites.filter(({ file }) => verdicts[file]),
        times,
      ).map(({ file }) => file);
      if (caughtBy.length > 0) fault.caughtBy = caughtBy.slice(0, ENOUGH);
      await writeFile(TRIED, JSON.stringify(tried, null, 1));
      await writeFaults(faults);
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
