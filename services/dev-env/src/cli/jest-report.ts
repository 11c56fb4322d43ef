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
  tally: Tally;
  /** Each failed test with its file. */
  failures: string[];
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

interface JestJson {
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/**
 * Reads Jest's JSON report. A file that could not be loaded counts as one failed test.
 * @param root the folder that file names are relative to
 * @returns null if it is not a report
 */
export function readJestReport(text: string, root: string): SuiteReport[] | null {
  let json: JestJson;
  try {
    json = JSON.parse(text) as JestJson;
  } catch {
    return null;
  }
  return json.testResults.map(({ name, startTime, endTime, status, assertionResults }) => {
    const file = name.startsWith(root) ? name.slice(root.length).replace(/^\//, '') : name;
    const failures = assertionResults
      .filter((result) => result.status === 'failed')
      .map(({ fullName }) => `${file} › ${fullName}`);
    if (status === 'failed' && failures.length === 0) failures.push(`${file} (could not be loaded)`);
    const passed = assertionResults.filter((result) => result.status === 'passed').length;
    const skipped = assertionResults.filter((result) => ['pending', 'todo'].includes(result.status)).length;
    return {
      file,
      seconds: (endTime - startTime) / 1_000,
      tally: { passed, failed: failures.length, skipped },
      failures,
    };
  });
}

/** The slowest suites, one a line, slowest first. */
export const formatSlowest = (suites: readonly SuiteReport[], count = 10): string =>
  [...suites]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
    .join('\n');
