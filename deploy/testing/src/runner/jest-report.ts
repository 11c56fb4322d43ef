import path from 'node:path';

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

export interface SuiteReport {
  /** Relative to the checkout. */
  file: string;
  seconds: number;
  /** Undefined if the system does not report it. */
  processorSeconds?: number | undefined;
  /** Not begun, since time was up. */
  isLeftOut?: boolean;
  tally: Tally;
  /** With files. */
  failures: string[];
  /** By Jest, empty on success. */
  message: string;
}

export const EMPTY_TALLY: Tally = { passed: 0, failed: 0, skipped: 0 };

/** Counts as one test. */
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

/** Of jest/file-events.js. */
export type JestEvent =
  | { type: 'started'; file: string }
  /** The file goes on. */
  | { type: 'failed'; file: string; fullName: string; message: string }
  | {
      type: 'finished';
      file: string;
      seconds: number;
      processorSeconds?: number | undefined;
      isLeftOut?: boolean;
      /** Failed outside its tests, such as at load. */
      isBroken: boolean;
      /** By Jest. */
      message: string;
      tests: readonly { fullName: string; status: string }[];
    }
  | { type: 'complete' };

/** A file that could not be loaded counts as one failed test. */
export function suiteOf(
  {
    file,
    seconds,
    processorSeconds,
    isLeftOut = false,
    isBroken,
    message,
    tests,
  }: Extract<JestEvent, { type: 'finished' }>,
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
    ...(isLeftOut && { isLeftOut }),
    tally: { passed, failed: failures.length, skipped },
    failures,
    message,
  };
}

/** Ended at its first failure. */
export const suiteOfFailure = (
  { file, fullName, message }: Extract<JestEvent, { type: 'failed' }>,
  root: string,
): SuiteReport =>
  suiteOf(
    { type: 'finished', file, seconds: 0, isBroken: false, message, tests: [{ fullName, status: 'failed' }] },
    root,
  );

/** Began, but did not end. */
export const unfinishedSuite = (file: string, root: string): SuiteReport => ({
  file: path.relative(root, file),
  seconds: 0,
  tally: tallyOfCheck(false),
  failures: [`${path.relative(root, file)} (did not end)`],
  message: '',
});

export const formatSlowest = (suites: readonly SuiteReport[], count = 10): string =>
  [...suites]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
    .join('\n');
