import path from 'node:path';

/** Numbers of passed, failed and skipped tests. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** The results of one test file. */
export interface SuiteReport {
  /** Relative to the checkout. */
  file: string;
  seconds: number;
  /** Undefined where the system does not say. */
  processorSeconds?: number | undefined;
  tally: Tally;
  /** Each failed test with its file. */
  failures: string[];
  /** What failed, as Jest words it. Empty if nothing did. */
  message: string;
}

export const EMPTY_TALLY: Tally = { passed: 0, failed: 0, skipped: 0 };

/** A check that is not made of tests counts as one test. */
export const tallyOfCheck = (passed: boolean): Tally => ({
  passed: passed ? 1 : 0,
  failed: passed ? 0 : 1,
  skipped: 0,
});

export const addTallies = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

export const formatTally = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

export const sumTallies = (suites: readonly { tally: Tally }[]): Tally =>
  suites.reduce((sum, { tally }) => addTallies(sum, tally), EMPTY_TALLY);

/** What jest/file-events.js tells of a run while it goes on. */
export type JestEvent =
  | { type: 'started'; file: string }
  /** A test of a file that goes on. */
  | { type: 'failed'; file: string; fullName: string; message: string }
  | {
      type: 'finished';
      file: string;
      seconds: number;
      processorSeconds?: number | undefined;
      /** Something failed outside its tests, such as loading the file. */
      isBroken: boolean;
      /** What failed, as Jest words it. */
      message: string;
      tests: readonly { fullName: string; status: string }[];
    }
  | { type: 'complete' };

/** The report of a file that has finished. One that could not be loaded counts as one failed test. */
export function suiteOf(
  { file, seconds, processorSeconds, isBroken, message, tests }: Extract<JestEvent, { type: 'finished' }>,
  root: string,
): SuiteReport {
  const name = path.relative(root, file);
  const withStatus = (...statuses: string[]) => tests.filter(({ status }) => statuses.includes(status));
  const failures = withStatus('failed').map(({ fullName }) => `${name} › ${fullName}`);
  if (isBroken && failures.length === 0) failures.push(`${name} (could not be loaded)`);
  const [passed, skipped] = [withStatus('passed').length, withStatus('pending', 'todo').length];
  return {
    file: name,
    seconds,
    processorSeconds,
    tally: { passed, failed: failures.length, skipped },
    failures,
    message,
  };
}

/** The report of a file that ended with a test that failed. */
export const suiteOfFailure = (
  { file, fullName, message }: Extract<JestEvent, { type: 'failed' }>,
  root: string,
): SuiteReport =>
  suiteOf(
    { type: 'finished', file, seconds: 0, isBroken: false, message, tests: [{ fullName, status: 'failed' }] },
    root,
  );

/** The report of a file that began and did not end. */
export const unfinishedSuite = (file: string, root: string): SuiteReport => ({
  file: path.relative(root, file),
  seconds: 0,
  tally: tallyOfCheck(false),
  failures: [`${path.relative(root, file)} (did not end)`],
  message: '',
});

/** The slowest suites, one a line, slowest first. */
export const formatSlowest = (suites: readonly SuiteReport[], count = 10): string =>
  [...suites]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
    .join('\n');
