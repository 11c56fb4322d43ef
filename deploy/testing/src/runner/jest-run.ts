import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { availableParallelism } from 'node:os';
import { checkoutRoot, inCheckout } from '@najwa/dev/bootstrap/environment';
import { signalGroup } from '@najwa/dev/bootstrap/processes';
import { suiteOf, suiteOfFailure, sumTallies, tallyOfCheck, unfinishedSuite } from './jest-report.js';
import type { JestEvent, SuiteReport, Tally } from './jest-report.js';

/** One more than cores: journeys and browser tests mostly wait. */
export const WORKERS = Math.min(Math.max(availableParallelism(), 2) + 1, 4);

/** Not NODE_OPTIONS: threads with their own environment inherit arguments only. */
const NODE_ARGUMENTS = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--import',
  pathToFileURL(inCheckout('deploy/testing/jest/typescript-in-threads.js')).href,
];

/** Jest ends tests after five minutes: longer silence means a hang. */
const SILENCE_MS = 15 * 60_000;
/** Jest reads all sources before the first file. */
const START_MS = 5 * 60_000;
/** Until SIGKILL. */
const GRACE_MS = 5_000;
/** A test left something open. */
const EXIT_MS = 60_000;

export interface JestRun {
  /** Including those that were running when a hanging run was ended. */
  suites: SuiteReport[];
  /** A run without results counts as one failed test. */
  tally: Tally;
  /** Empty if shown. */
  output: string;
  /** Ended by us. */
  isStuck: boolean;
}

export interface JestRunOptions {
  signal: AbortSignal;
  env?: Record<string, string>;
  /** To the terminal. Never ended for silence, since a person watches. */
  isShown?: boolean;
  onProgress?: (ended: readonly SuiteReport[], running: readonly string[]) => void;
  /** This one by default. */
  root?: string;
  /** In the middle of its file, whose other tests are not reported. */
  endsAtFailure?: boolean;
  silenceMs?: number;
  exitMs?: number;
}

export async function runJest(
  args: readonly string[],
  {
    signal,
    env = {},
    isShown = false,
    onProgress,
    root = checkoutRoot,
    endsAtFailure = false,
    silenceMs = SILENCE_MS,
    exitMs = EXIT_MS,
  }: JestRunOptions,
): Promise<JestRun> {
  const reporters = ['default', inCheckout('deploy/testing/jest/file-events.js')];
  const output: string[] = [];
  const child = spawn(
    process.execPath,
    [
      ...NODE_ARGUMENTS,
      inCheckout('node_modules/jest/bin/jest.js'),
      ...args,
      ...reporters.map((name) => `--reporters=${name}`),
    ],
    {
      cwd: root,
      stdio: ['ignore', isShown ? 'inherit' : 'ignore', isShown ? 'inherit' : 'pipe', 'ipc'],
      env: { ...process.env, ...env },
      detached: true,
    },
  );
  const suites: SuiteReport[] = [];
  const running = new Set<string>();
  const seen = new Set<JestEvent['type']>();
  let isStuck = false;
  const ended = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const kill = (pid: number): void => {
    signalGroup(pid, 'SIGKILL');
    // Other process groups may hold its other end.
    child.stderr?.destroy();
  };
  const stop = (): void => {
    const { pid } = child;
    if (pid === undefined) return;
    signalGroup(pid, 'SIGTERM');
    // Programs of a suite may keep Jest from ending.
    grace = setTimeout(() => kill(pid), GRACE_MS);
  };
  const end = (): void => {
    ended.abort();
    stop();
  };
  let patience: NodeJS.Timeout | undefined;
  const expectSign = (): void => {
    clearTimeout(patience);
    if (isShown) return;
    patience = setTimeout(
      () => {
        isStuck = true;
        if (child.pid !== undefined) kill(child.pid);
      },
      seen.has('complete') ? exitMs : seen.has('started') ? silenceMs : START_MS,
    );
  };
  expectSign();
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output.push(chunk);
    expectSign();
  });
  child.on('message', (event: JestEvent) => {
    if (ended.signal.aborted) return;
    seen.add(event.type);
    if (event.type === 'started') running.add(event.file);
    if (event.type === 'finished') {
      running.delete(event.file);
      suites.push(suiteOf(event, root));
      if (endsAtFailure && event.isBroken) end();
    }
    if (event.type === 'failed' && endsAtFailure) {
      suites.push(suiteOfFailure(event, root));
      end();
    }
    onProgress?.(suites, [...running]);
    expectSign();
  });
  signal.addEventListener('abort', stop, { once: true });
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  clearTimeout(patience);
  clearTimeout(grace);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (ended.signal.aborted) return { suites, tally: sumTallies(suites), output: output.join(''), isStuck };
  suites.push(...[...running].map((file) => unfinishedSuite(file, root)));
  const tallies = [...suites, ...(seen.has('complete') || running.size > 0 ? [] : [{ tally: tallyOfCheck(false) }])];
  return { suites, tally: sumTallies(tallies), output: output.join(''), isStuck };
}
