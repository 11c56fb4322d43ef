import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inCheckout, SetupError } from '@najwa/dev/bootstrap/environment';
import { buildWeb } from '@najwa/dev/bootstrap/prepare';
import { elapsed } from '@najwa/dev/bootstrap/reporter';
import { asStep, type Reporter } from '@najwa/dev/reporter';
import { processorSeconds } from '../processor-time.js';
import { changedSince, suitesReachedBy } from './changed.js';
import { CHECKS, runCheck, type Check } from './checks.js';
import {
  addTallies,
  EMPTY_TALLY,
  formatSlowest,
  formatTally,
  sumTallies,
  tallyOfCheck,
  type SuiteReport,
  type Tally,
} from './jest-report.js';
import { runJest, WORKERS, type JestRun, type JestRunOptions } from './jest-run.js';
import { checkLogs } from './log-check.js';
import { listSuites, readTimes, writeTimes, type Suite, type SuiteTime } from './suites.js';
import { provideTestInfrastructure } from './test-infrastructure.js';

export interface TestOptions {
  reporter: Reporter;
  signal: AbortSignal;
  /**
   * None: the everyday run. `--all`: all checks and suites. `--all --beyond`: those not in the everyday run. Each with
   * `--record-times` or `--in-time`. `--changed [REF]`: checks, and suites reached by changes. Anything else goes to
   * Jest, without checks.
   */
  args: readonly string[];
}

/** Of `--in-time`, after the start: no file begins later. The rest is for those that run, and for second chances. */
const BEGIN_WITHIN_MS = 45 * 60_000;

/** A busy machine fails some. Not if there are more. */
const MOST_FILES_RUN_AGAIN = 12;

function createSummary() {
  const startedAt = performance.now();
  let tally = EMPTY_TALLY;
  const suites: SuiteReport[] = [];
  const failures: string[] = [];
  const unsteady: string[] = [];
  const stuck: string[] = [];
  const leftOut: string[] = [];
  const print = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) process.stdout.write(`${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  };
  return {
    suites: suites as readonly SuiteReport[],
    addCheck(passed: boolean, name: string) {
      tally = addTallies(tally, tallyOfCheck(passed));
      if (!passed) failures.push(`the check "${name}"`);
    },
    addRun(ran: readonly SuiteReport[], total: Tally = sumTallies(ran)) {
      tally = addTallies(tally, total);
      suites.push(...ran);
      leftOut.push(...ran.filter(({ isLeftOut }) => isLeftOut).map(({ file }) => file));
      failures.push(...ran.flatMap((suite) => suite.failures));
    },
    addStuck(line: string) {
      stuck.push(line);
    },
    addUnsteady(lines: readonly string[]) {
      unsteady.push(...lines);
    },
    /** @returns the exit status */
    print({ showsSlowest }: { showsSlowest: boolean }): number {
      print('Ended, since they did not end by themselves:', stuck);
      print('Left out, since time was up:', leftOut);
      print('Failed beside other suites, passed alone:', unsteady);
      print('Failed:', failures);
      if (showsSlowest) process.stdout.write(`The slowest suites:\n${formatSlowest(suites)}\n`);
      const processor = processorSeconds();
      const ofProcessor = processor === undefined ? '' : `, ${Math.round(processor)} s of processor time`;
      const taken = `${elapsed(performance.now() - startedAt)}${ofProcessor}`;
      process.stdout.write(`${formatTally(tally)} (${taken})\n`);
      return tally.failed === 0 ? 0 : 1;
    },
  };
}
type Summary = ReturnType<typeof createSummary>;

/** @returns whether it passed */
async function runAsCheck(
  name: string,
  check: () => Promise<unknown>,
  { reporter, signal }: Pick<TestOptions, 'reporter' | 'signal'>,
): Promise<boolean> {
  const step = reporter.step(name);
  try {
    await check();
    step.done('passed');
    return true;
  } catch (error) {
    step.fail();
    signal.throwIfAborted();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

function runAsStep(
  name: string,
  args: readonly string[],
  { env, reporter, signal }: { env: Record<string, string>; reporter: Reporter; signal: AbortSignal },
): Promise<JestRun> {
  return asStep(
    reporter,
    name,
    async (step) => {
      const listOf = (what: string, files: readonly string[]): string =>
        files.length === 0 ? '' : `, ${what} ${files.map((file) => path.basename(file)).join(', ')}`;
      const onProgress: JestRunOptions['onProgress'] = (ended, running) => {
        const failed = ended.filter(({ failures }) => failures.length > 0).map(({ file }) => file);
        step.progress(`${ended.length} files done${listOf('failed:', failed)}${listOf('running', running)}`);
      };
      return runJest(args, { env, signal, onProgress });
    },
    ({ tally }) => formatTally(tally),
  );
}

/** Or Jest's output if there are no results. */
function printFailures({ suites, tally, output }: JestRun): void {
  const messages = suites.map(({ message }) => message).filter(Boolean);
  if (tally.failed > 0) process.stderr.write(`${messages.length > 0 ? messages.join('\n') : output}\n`);
}

interface Plan {
  checks: readonly Check[];
  /** Relative to the checkout. */
  files: readonly string[];
  /** Logs of a few suites are too short. */
  checksLogs: boolean;
  /** Timeouts on a busy machine: failed files run again alone. Never needed in the everyday run. */
  runsAgain: boolean;
  /** In milliseconds since 1970. */
  beginsUntil?: number | undefined;
}

/** In parallel. */
async function runSuites(
  { files, runsAgain, beginsUntil }: Plan,
  options: { env: Record<string, string>; reporter: Reporter; signal: AbortSignal },
  summary: Summary,
): Promise<void> {
  const paths = files.map((file) => inCheckout(file));
  const env = { ...options.env, ...(beginsUntil && { NAJWA_BEGIN_UNTIL: String(beginsUntil) }) };
  const args = ['--runTestsByPath', ...paths, `--maxWorkers=${WORKERS}`];
  const first = await runAsStep('suites', args, { ...options, env });
  printFailures(first);
  const failed = first.suites.filter(({ failures }) => failures.length > 0);
  if (first.isStuck) {
    const hung = failed.filter(({ failures }) => failures.some((line) => line.endsWith('(did not end)')));
    summary.addStuck(
      hung.length > 0 ? hung.map(({ file }) => file).join(', ') : 'something that a test opened was left open',
    );
  }
  const isAccident = runsAgain && failed.length > 0 && failed.length <= MOST_FILES_RUN_AGAIN;
  if (!isAccident) return summary.addRun(first.suites, first.tally);
  summary.addRun(first.suites.filter((suite) => !failed.includes(suite)));
  const again = await runAsStep(
    'failed files alone',
    ['--runInBand', '--runTestsByPath', ...failed.map(({ file }) => inCheckout(file))],
    options,
  );
  printFailures(again);
  summary.addRun(again.suites, again.tally);
  const passed = again.suites.filter(({ failures }) => failures.length === 0).map(({ file }) => file);
  summary.addUnsteady(failed.filter(({ file }) => passed.includes(file)).flatMap(({ failures }) => failures));
}

/** On new infrastructure. */
async function runWhole(plan: Plan, options: TestOptions, summary: Summary): Promise<void> {
  const { reporter } = options;
  const logs = await mkdtemp(path.join(tmpdir(), 'najwa-service-logs-'));
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  const providing = provideTestInfrastructure({ reporter, signal, needsBrowsers: true });
  providing.catch(() => undefined);
  const run = async (check: Check, name = check.name): Promise<boolean> => {
    const env = check.needsInfrastructure === true ? (await providing).env : {};
    return runAsCheck(name, () => runCheck(check, { signal, env }), { reporter, signal });
  };
  const failedAlongside: Check[] = [];
  const runChecks = async (): Promise<void> => {
    for (const check of plan.checks) {
      const hasPassed = await run(check);
      if (!hasPassed && plan.runsAgain && check.needsInfrastructure === true) failedAlongside.push(check);
      else summary.addCheck(hasPassed, check.name);
    }
  };
  const runAllSuites = async (): Promise<void> => {
    if (plan.files.length === 0) return;
    await buildWeb(reporter, signal);
    const env = { ...(await providing).env, NAJWA_TEST_LOGS: logs };
    await runSuites(plan, { env, reporter, signal }, summary);
    if (plan.checksLogs) summary.addCheck(await runAsCheck('logs', () => checkLogs(logs), options), 'logs');
  };
  try {
    const work = [runChecks(), runAllSuites()];
    await Promise.all(work).catch(async (error: unknown) => {
      failure.abort();
      await Promise.allSettled(work);
      throw error;
    });
    // As for suites.
    for (const check of failedAlongside) {
      const hasPassed = await run(check, `${check.name}, alone`);
      summary.addCheck(hasPassed, check.name);
      if (hasPassed) summary.addUnsteady([`the check "${check.name}"`]);
    }
  } finally {
    failure.abort();
    await providing.then((infrastructure) => infrastructure.stop()).catch(() => undefined);
    await rm(logs, { recursive: true, force: true });
  }
}

/** Keeps times of suites that did not run. */
async function recordTimes(ran: readonly SuiteReport[], suites: readonly Suite[]): Promise<void> {
  const times = Object.entries(await readTimes()).filter(([file]) => suites.some((suite) => suite.file === file));
  const recorded = ran
    .filter(({ isLeftOut }) => !isLeftOut)
    .map(({ file, seconds, processorSeconds: processor }): [string, SuiteTime] => [
      file,
      { seconds: Math.ceil(seconds), ...(processor !== undefined && { processor }) },
    ]);
  await writeTimes(Object.fromEntries([...times, ...recorded]));
}

const PLAN_OPTIONS = ['--all', '--beyond', '--record-times', '--in-time'];

async function runPlanned(options: TestOptions, summary: Summary): Promise<void> {
  const [runsAll, runsBeyond, records, isInTime] = PLAN_OPTIONS.map((option) => options.args.includes(option));
  if (runsBeyond && !runsAll) throw new SetupError('--beyond is an option of npm run test:all.');
  const suites = await listSuites();
  const isWanted = (isLong = false): boolean => (runsAll ? !runsBeyond || isLong : !isLong);
  const plan = {
    checks: CHECKS.filter(({ isLong }) => isWanted(isLong)),
    files: suites.filter(({ isLong }) => isWanted(isLong)).map(({ file }) => file),
    checksLogs: true,
    runsAgain: runsAll === true,
    beginsUntil: isInTime ? performance.timeOrigin + BEGIN_WITHIN_MS : undefined,
  };
  await runWhole(plan, options, summary);
  if (records) await recordTimes(summary.suites, suites);
}

/** @returns the exit status */
export async function test(options: TestOptions): Promise<number> {
  const { reporter, signal, args } = options;
  const [first, reference] = args;
  const summary = createSummary();
  if (args.every((arg) => PLAN_OPTIONS.includes(arg))) {
    await runPlanned(options, summary);
  } else if (first === '--changed') {
    const changed = await changedSince(reference ?? 'origin/main');
    const { suites, left } = await suitesReachedBy(changed);
    reporter.say(`${changed.length} files changed. Left out: ${left.join(', ') || 'nothing'}.`);
    const files = suites.map(({ file }) => file);
    await runWhole({ checks: CHECKS, files, checksLogs: false, runsAgain: true }, options, summary);
  } else {
    // Jest's set-up starts only what matching suites need.
    const { suites, tally } = await runJest([...args, `--maxWorkers=${WORKERS}`], { signal, isShown: true });
    summary.addRun(suites, tally);
  }
  return summary.print({ showsSlowest: args.length > 0 });
}
