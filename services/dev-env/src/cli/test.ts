import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkoutRoot, inCheckout } from '../checkout.js';
import { SetupError } from '../errors.js';
import { provideInfrastructure, type Infrastructure } from '../infrastructure/index.js';
import { createDebian } from '../infrastructure/prepare/debian.js';
import { openSupervisor, type Supervisor } from '../processes/supervisor.js';
import type { Reporter } from '../reporter.js';
import { provideChromium } from './chromium.js';
import { checkLogs } from './log-check.js';
import { add, inWords, NOTHING, oneTest, tallyOf, type Tally } from './tally.js';

/** A check that counts as one test. */
export interface Check {
  name: string;
  /** @throws when it fails; the message is shown */
  run: () => Promise<unknown>;
}

export interface TestOptions {
  reporter: Reporter;
  signal: AbortSignal;
  /** Run before the suites, in order. */
  checks: readonly Check[];
  /** What Jest is given as well, such as a pattern of file names. */
  jestArguments: readonly string[];
}

const SUITES = [
  { name: 'unit', options: ['--maxWorkers=2'] },
  { name: 'web', options: ['--maxWorkers=2'] },
  { name: 'component', options: ['--maxWorkers=2'] },
  { name: 'journeys', options: ['--runInBand'] },
  { name: 'browser', options: ['--runInBand'] },
] as const;

const NODE_OPTIONS = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  `--import ${pathToFileURL(inCheckout('services/dev-env/jest/typescript-in-threads.js')).href}`,
].join(' ');

async function runJest(args: readonly string[], env: Record<string, string>, signal: AbortSignal): Promise<void> {
  const jest = inCheckout('node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, [jest, ...args], {
    cwd: checkoutRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} ${NODE_OPTIONS}`.trim() },
    detached: true,
  });
  const stop = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  signal.addEventListener('abort', stop, { once: true });
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}

async function runCheck({ name, run }: Check, { reporter, signal }: TestOptions): Promise<Tally> {
  const step = reporter.step(name);
  try {
    await run();
    step.done('passed');
    return oneTest(true);
  } catch (error) {
    step.fail();
    signal.throwIfAborted();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return oneTest(false);
  }
}

async function runSuites(
  env: Record<string, string>,
  folder: string,
  { reporter, signal, jestArguments }: TestOptions,
): Promise<Tally> {
  let total = NOTHING;
  for (const { name, options } of SUITES) {
    const report = path.join(folder, `${name}.json`);
    const step = reporter.step(name);
    try {
      await runJest(
        ['--selectProjects', name, '--passWithNoTests', '--json', '--outputFile', report, ...options, ...jestArguments],
        env,
        signal,
      );
    } catch (error) {
      step.fail();
      throw error;
    }
    const tally = tallyOf(await readFile(report, 'utf8').catch(() => ''));
    step.done(inWords(tally));
    total = add(total, tally);
  }
  return total;
}

/** Runs everything on infrastructure of its own, made for this run. @returns the status to exit with */
export async function test(options: TestOptions): Promise<number> {
  const { reporter, signal, checks } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-test-'));
  let supervisor: Supervisor | undefined;
  let providing: Promise<Infrastructure> | undefined;
  try {
    supervisor = await openSupervisor(folder, { temporary: true });
    let total = NOTHING;
    // Servers take their time to start, mostly waiting.
    providing = provideInfrastructure({ dataDir: folder, reporter, supervisor, signal, persistent: false });
    providing.catch(() => undefined);
    for (const check of checks) total = add(total, await runCheck(check, options));
    const chromium = await provideChromium(createDebian({ supervisor, signal }), reporter);
    const infrastructure = await providing;
    const logs = path.join(folder, 'service-logs');
    await mkdir(logs);
    total = add(
      total,
      await runSuites({ ...infrastructure.env, CHROMIUM_BIN: chromium, NAJWA_TEST_LOGS: logs }, folder, options),
    );
    // A run of some of the tests logs too little to say anything.
    if (options.jestArguments.length === 0)
      total = add(total, await runCheck({ name: 'logs', run: () => checkLogs(logs) }, options));
    process.stdout.write(`${inWords(total)}\n`);
    return total.failed === 0 ? 0 : 1;
  } catch (error) {
    if (signal.aborted) return 130;
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    await providing?.then(
      (infrastructure) => infrastructure.stop(),
      () => undefined,
    );
    await supervisor?.release();
    await rm(folder, { recursive: true, force: true });
  }
}
