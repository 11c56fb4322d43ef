import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inCheckout, SetupError } from '@najwa/dev/bootstrap/environment';
import { command } from '@najwa/dev/bootstrap/processes';
import { asStep, type Reporter } from '@najwa/dev/reporter';
import { suitesReachedBy, type ReachedSuite } from '../runner/changed.js';
import { runJest, WORKERS } from '../runner/jest-run.js';
import { readTimes } from '../runner/suites.js';
import { provideTestInfrastructure, type TestInfrastructure } from '../runner/test-infrastructure.js';
import { copyCheckout, type Copy } from './copy.js';
import { applyAll, applyFault, NEEDS_NO_SERVERS, readFaults, roundsOf, type Fault } from './faults.js';

/** TypeScript programs by path. */
const TYPES = [
  { files: /^(?!web\/)/, project: 'tsconfig.json' },
  { files: /^web\//, project: 'web/tsconfig.json' },
];

const COMPILER = inCheckout('node_modules/typescript-native/bin/tsc');

type Verdict = { kind: 'caught'; test: string } | { kind: 'missed' } | { kind: 'broken'; reason: string };

function describe(verdict: Verdict): string {
  if (verdict.kind === 'caught') return `caught by ${verdict.test}`;
  return verdict.kind === 'missed' ? 'no test catches it' : `no test ran: ${verdict.reason}`;
}

/** @throws {SetupError} if a fault cannot be applied */
export async function checkFaults(reporter: Reporter): Promise<number> {
  const faults = await readFaults();
  const several = faults.find(({ before, after }) => (before + after).includes('\n') || before === after);
  if (several) throw new SetupError(`A fault changes one line, and this one does not: ${JSON.stringify(several)}`);
  await applyAll(faults);
  reporter.say(`${faults.length} faults can be applied.`);
  return 0;
}

/** All at once: one takes as long. */
async function checkTypes(faults: readonly Fault[], copy: Copy, signal: AbortSignal): Promise<void> {
  const texts = await applyAll(faults, copy.root);
  for (const [file, text] of texts) await copy.write(file, text);
  for (const { files, project } of TYPES)
    if (faults.some(({ file }) => files.test(file)))
      await command('Compiling the faults', process.execPath, [COMPILER, '--project', project], {
        cwd: copy.root,
        signal,
      });
  await copy.restore(texts.keys());
}

interface RunOptions {
  copy: Copy;
  signal: AbortSignal;
  onProgress: (what: string) => void;
}

async function runUntilFailure(
  suites: readonly ReachedSuite[],
  { copy, env, signal, onProgress }: RunOptions & { env: Readonly<Record<string, string>> },
): Promise<Verdict> {
  const run = await runJest(
    [
      `--testSequencer=${inCheckout('deploy/testing/jest/as-given.js')}`,
      `--cacheDirectory=${path.join(copy.root, 'node_modules/.cache/jest')}`,
      `--maxWorkers=${WORKERS}`,
      '--runTestsByPath',
      ...suites.map(({ file }) => path.join(copy.root, file)),
    ],
    {
      root: copy.root,
      env,
      signal,
      endsAtFailure: true,
      onProgress: (ended, running) =>
        onProgress(
          `${ended.length} of ${suites.length} suites done, running ${running.map((file) => path.basename(file)).join(', ')}`,
        ),
    },
  );
  if (run.tally.failed === 0) return { kind: 'missed' };
  const caught = run.suites.find(({ failures }) => failures.length > 0);
  const test = caught?.failures[0] ?? '';
  return caught && test.includes(' › ')
    ? { kind: 'caught', test }
    : { kind: 'broken', reason: [test, caught?.message ?? run.output].filter(Boolean).join('\n') };
}

/** Runs suites as `npm test -- --changed` would, likeliest first, until one fails; or only `seenBy`. */
async function tryFault(
  fault: Fault,
  serversEnv: () => Promise<Readonly<Record<string, string>>>,
  options: RunOptions,
): Promise<Verdict> {
  const { copy } = options;
  const times = await readTimes();
  const reached = await suitesReachedBy([fault.file]);
  const suites = reached.suites.filter(({ file }) => [file, undefined].includes(fault.seenBy));
  await copy.write(fault.file, applyFault(await readFile(path.join(copy.root, fault.file), 'utf8'), fault));
  try {
    for (const round of roundsOf(fault.file, suites, fault.caughtBy?.[0], times)) {
      const needsServers = round.some(({ project }) => !NEEDS_NO_SERVERS.includes(project));
      const verdict = await runUntilFailure(round, { ...options, env: needsServers ? await serversEnv() : {} });
      if (verdict.kind !== 'missed') return verdict;
    }
    return { kind: 'missed' };
  } finally {
    await copy.restore([fault.file]);
  }
}

/**
 * Applies each fault to a copy of the checkout, and reports those that no test catches.
 * @param patterns parts of paths of files or of required suites; all if empty
 * @returns the exit status
 */
export async function findUncaught({
  reporter,
  signal,
  patterns,
}: {
  reporter: Reporter;
  signal: AbortSignal;
  patterns: readonly string[];
}): Promise<number> {
  const all = await readFaults();
  await checkFaults(reporter);
  const faults = all.filter(
    ({ file, seenBy = '' }) =>
      patterns.length === 0 || patterns.some((pattern) => file.includes(pattern) || seenBy.includes(pattern)),
  );
  if (faults.length === 0) throw new SetupError(`No fault is in a file like ${patterns.join(' or ')}, or seen by one.`);
  let servers: Promise<TestInfrastructure> | undefined;
  const serversEnv = async (): Promise<Readonly<Record<string, string>>> =>
    (await (servers ??= provideTestInfrastructure({ reporter, signal, needsBrowsers: true }))).env;
  const copy = await asStep(reporter, 'Copy of the checkout', () => copyCheckout());
  const failures: string[] = [];
  try {
    await asStep(reporter, 'Types with all faults', () => checkTypes(faults, copy, signal));
    for (const [index, fault] of faults.entries()) {
      const verdict = await asStep(
        reporter,
        `${index + 1}/${faults.length} ${fault.file}`,
        (step) =>
          tryFault(fault, serversEnv, {
            copy,
            signal,
            onProgress: (what) => step.progress(what),
          }),
        describe,
      );
      if (verdict.kind !== 'caught')
        failures.push(`${fault.file}: ${fault.notice}${verdict.kind === 'broken' ? ' (no test ran)' : ''}`);
    }
  } finally {
    await copy.remove();
    await servers?.then((infrastructure) => infrastructure.stop()).catch(() => undefined);
  }
  if (failures.length > 0) process.stdout.write(`Not caught:\n${failures.map((line) => `  ${line}\n`).join('')}`);
  process.stdout.write(`${faults.length - failures.length} of ${faults.length} faults are caught.\n`);
  return failures.length === 0 ? 0 : 1;
}
