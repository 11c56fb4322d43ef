import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkoutRoot, inCheckout } from '../bootstrap/environment.js';
import { signalGroup } from '../bootstrap/processes.js';
import type { Reporter } from '../reporter.js';
import { CHECKS, runCheck } from './checks.js';
import {
  addTallies,
  EMPTY_TALLY,
  formatSlowest,
  formatTally,
  readJestReport,
  sumTallies,
  tallyOfCheck,
  type SuiteReport,
  type Tally,
} from './jest-report.js';
import { runInLanes, type LaneTask } from './lanes.js';
import { checkLogs } from './log-check.js';
import { provideTestInfrastructure, type TestInfrastructure } from './test-infrastructure.js';

export interface TestOptions {
  reporter: Reporter;
  signal: AbortSignal;
  /** Arguments for Jest, for example a file name pattern. If given, only matching suites run, without checks. */
  jestArguments: readonly string[];
}

/** All tasks in scheduling order. Heavy suites start a system or a browser. */
const SUITES: readonly { project: string; shards: number; isHeavy: boolean; needsInfrastructure: boolean }[] = [
  { project: 'journeys', shards: 1, isHeavy: true, needsInfrastructure: true },
  { project: 'browser', shards: 4, isHeavy: true, needsInfrastructure: true },
  { project: 'web', shards: 2, isHeavy: false, needsInfrastructure: false },
  { project: 'component', shards: 5, isHeavy: false, needsInfrastructure: true },
  { project: 'unit', shards: 2, isHeavy: false, needsInfrastructure: false },
];
const HEAVY_FILE = /\/tests\/journeys\/|\/web\/e2e\//;

/** One more than there are cores: journeys and browser tests mostly wait. */
const lanes = Math.min(Math.max(availableParallelism(), 2) + 1, 4);

/** More failed files than these are no accident of a busy machine, and are not run again. */
const MOST_FILES_RUN_AGAIN = 5;

/** As arguments, not in NODE_OPTIONS: a thread with an environment of its own inherits arguments only. */
const NODE_ARGUMENTS = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--import',
  pathToFileURL(inCheckout('services/dev-env/jest/typescript-in-threads.js')).href,
];

/** Jest ends a test after five minutes, so whatever begins nothing new for longer than a few of those hangs. */
const SILENCE_MS = 15 * 60_000;
/** For a run that has its results, and does not exit because a test left something open. */
const EXIT_MS = 60_000;

interface JestRun {
  suites: SuiteReport[];
  /** A run that left no report counts as one failed test. */
  tally: Tally;
  /** Output of Jest, unless it went to the terminal. */
  output: string;
  /** It was ended, since it did not end by itself. */
  isStuck: boolean;
}

interface JestRunOptions {
  signal: AbortSignal;
  env?: Record<string, string>;
  isShown?: boolean;
  silenceMs?: number;
  exitMs?: number;
}

/** Runs Jest to its end. A run whose output is not shown is ended if it hangs. */
export async function runJest(
  args: readonly string[],
  { signal, env = {}, isShown = false, silenceMs = SILENCE_MS, exitMs = EXIT_MS }: JestRunOptions,
): Promise<JestRun> {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-jest-'));
  const outputFile = path.join(folder, 'report.json');
  const jest = inCheckout('node_modules/jest/bin/jest.js');
  const reporters = ['default', inCheckout('services/dev-env/jest/started-files.js')].map(
    (name) => `--reporters=${name}`,
  );
  const jestArguments = [...args, ...(isShown ? [] : reporters), '--json', '--outputFile', outputFile];
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, jest, ...jestArguments], {
    cwd: checkoutRoot,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  });
  let output = '';
  // --json also writes the report to standard output.
  child.stdout?.resume();
  let isStuck = false;
  let patience: NodeJS.Timeout | undefined;
  const expectOutput = (): void => {
    clearTimeout(patience);
    patience = setTimeout(
      () => {
        isStuck = true;
        if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
        // Processes in other groups may hold its other end.
        child.stderr?.destroy();
      },
      existsSync(outputFile) ? exitMs : silenceMs,
    );
  };
  if (!isShown) expectOutput();
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    expectOutput();
  });
  const stop = (): void => {
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGTERM');
  };
  signal.addEventListener('abort', stop, { once: true });
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  clearTimeout(patience);
  signal.removeEventListener('abort', stop);
  const suites = readJestReport(await readFile(outputFile, 'utf8').catch(() => ''), checkoutRoot);
  await rm(folder, { recursive: true, force: true });
  signal.throwIfAborted();
  return { suites: suites ?? [], tally: suites === null ? tallyOfCheck(false) : sumTallies(suites), output, isStuck };
}

/** Collects the results of a run and prints a summary. */
function createSummary() {
  let tally = EMPTY_TALLY;
  const suites: SuiteReport[] = [];
  const failures: string[] = [];
  const unsteady: string[] = [];
  const stuck: string[] = [];
  const print = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) process.stdout.write(`${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  };
  return {
    addCheck(passed: boolean, name: string) {
      tally = addTallies(tally, tallyOfCheck(passed));
      if (!passed) failures.push(`the check "${name}"`);
    },
    addStuck(name: string, { suites, output }: JestRun) {
      const file = [...output.matchAll(/^RUNS (.+)$/gm)].at(-1)?.[1] ?? 'no file';
      stuck.push(
        suites.length > 0 ? `${name}: something that a test opened was left open` : `${name}: hung in ${file}`,
      );
    },
    addRun(run: Pick<JestRun, 'suites' | 'tally'>) {
      tally = addTallies(tally, run.tally);
      suites.push(...run.suites);
      failures.push(...run.suites.flatMap((suite) => suite.failures));
    },
    addUnsteady(lines: readonly string[]) {
      unsteady.push(...lines);
    },
    /** @returns the status to exit with */
    print(): number {
      print('Ended, since they did not end by themselves:', stuck);
      print('Failed beside other suites, passed alone:', unsteady);
      print('Failed:', failures);
      process.stdout.write(`The slowest suites:\n${formatSlowest(suites)}\n${formatTally(tally)}\n`);
      return tally.failed === 0 ? 0 : 1;
    },
  };
}
type Summary = ReturnType<typeof createSummary>;

async function countAsTest(
  name: string,
  check: () => Promise<unknown>,
  { reporter, signal }: TestOptions,
  summary: Summary,
): Promise<void> {
  const step = reporter.step(name);
  try {
    await check();
    step.done('passed');
    summary.addCheck(true, name);
  } catch (error) {
    step.fail();
    signal.throwIfAborted();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    summary.addCheck(false, name);
  }
}

/** Runs the suites that match. Jest's global set-up starts only the infrastructure that they need. */
async function testSome({ signal, jestArguments }: TestOptions, summary: Summary): Promise<void> {
  const files = await new Promise<string>((resolve) => {
    const jest = inCheckout('node_modules/jest/bin/jest.js');
    const child = spawn(process.execPath, [jest, '--listTests', ...jestArguments], {
      cwd: checkoutRoot,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.once('error', () => resolve(''));
    child.once('close', () => resolve(text));
  });
  const workers = HEAVY_FILE.test(files) ? '--runInBand' : `--maxWorkers=${lanes}`;
  summary.addRun(await runJest([...jestArguments, workers], { signal, isShown: true }));
}

interface FailedSuites {
  project: string;
  env: Record<string, string>;
  suites: SuiteReport[];
}

/** Tests that wait for something give up in the end, which comes too early on a machine with too much else to do. */
async function runFailedAgain(
  failed: readonly FailedSuites[],
  { reporter, signal }: TestOptions,
  summary: Summary,
): Promise<void> {
  const isAccident = failed.flatMap(({ suites }) => suites).length <= MOST_FILES_RUN_AGAIN;
  for (const { project, env, suites } of failed) {
    if (!isAccident) {
      summary.addRun({ suites, tally: sumTallies(suites) });
      continue;
    }
    const name = `${project}, failed files alone`;
    const step = reporter.step(name);
    const files = suites.map(({ file }) => inCheckout(file));
    const again = await runJest(['--selectProjects', project, '--runInBand', '--runTestsByPath', ...files], {
      env,
      signal,
    });
    if (again.isStuck) summary.addStuck(name, again);
    step.done(formatTally(again.tally));
    if (again.tally.failed > 0) process.stderr.write(again.output);
    summary.addRun(again);
    const passed = again.suites.filter(({ failures }) => failures.length === 0).map(({ file }) => file);
    summary.addUnsteady(suites.filter(({ file }) => passed.includes(file)).flatMap(({ failures }) => failures));
  }
}

/** Runs every check and every suite, on infrastructure that is made for this run. */
async function testAll(options: TestOptions, summary: Summary): Promise<void> {
  const { reporter, signal } = options;
  const logs = await mkdtemp(path.join(tmpdir(), 'najwa-service-logs-'));
  const failure = new AbortController();
  const providing = provideTestInfrastructure({
    reporter,
    signal: AbortSignal.any([signal, failure.signal]),
    needsBrowsers: true,
  });
  providing.catch(() => undefined);
  const failed: FailedSuites[] = [];
  const suiteTask = ({ project, shards, isHeavy, needsInfrastructure }: (typeof SUITES)[number], shard: number) => ({
    isHeavy,
    async run() {
      const { env = {} }: Partial<TestInfrastructure> = needsInfrastructure ? await providing : {};
      const testEnv = { ...env, NAJWA_TEST_LOGS: logs };
      const name = shards === 1 ? project : `${project} ${shard}/${shards}`;
      const step = reporter.step(name);
      try {
        const runShard = () =>
          runJest(['--selectProjects', project, '--passWithNoTests', '--runInBand', `--shard=${shard}/${shards}`], {
            env: testEnv,
            signal,
          });
        let jestRun = await runShard();
        if (jestRun.isStuck) {
          summary.addStuck(name, jestRun);
          if (jestRun.suites.length === 0) jestRun = await runShard();
        }
        const { suites, tally, output } = jestRun;
        step.done(formatTally(tally));
        if (tally.failed === 0) return summary.addRun({ suites, tally });
        process.stderr.write(output);
        if (suites.length === 0) return summary.addRun({ suites, tally });
        const passed = suites.filter((suite) => suite.failures.length === 0);
        summary.addRun({ suites: passed, tally: sumTallies(passed) });
        failed.push({ project, env: testEnv, suites: suites.filter((suite) => suite.failures.length > 0) });
      } catch (error) {
        step.fail();
        throw error;
      }
    },
  });
  const tasks: LaneTask[] = [
    ...CHECKS.map((check) => ({
      run: () => countAsTest(check.name, () => runCheck(check, signal), options, summary),
    })),
    ...SUITES.flatMap((suite) => Array.from({ length: suite.shards }, (_, index) => suiteTask(suite, index + 1))),
  ];
  try {
    await runInLanes(tasks, lanes);
    await runFailedAgain(failed, options, summary);
    await countAsTest('logs', () => checkLogs(logs), options, summary);
  } finally {
    failure.abort();
    await providing.then((infrastructure) => infrastructure.stop()).catch(() => undefined);
    await rm(logs, { recursive: true, force: true });
  }
}

/** @returns the status to exit with */
export async function test(options: TestOptions): Promise<number> {
  const summary = createSummary();
  await (options.jestArguments.length > 0 ? testSome(options, summary) : testAll(options, summary));
  return summary.print();
}
