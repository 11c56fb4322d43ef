/** Numbers of passed, failed and skipped tests. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** A test file and how long it ran. */
export interface SuiteTime {
  file: string;
  seconds: number;
}

export interface JestReport {
  tally: Tally;
  suites: SuiteTime[];
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

interface JestJson {
  numPassedTests?: number;
  numFailedTests?: number;
  numPendingTests?: number;
  numTodoTests?: number;
  numRuntimeErrorTestSuites?: number;
  testResults?: {
    name: string;
    startTime: number;
    endTime: number;
    status?: string;
    assertionResults?: { fullName: string; status: string }[];
  }[];
}

/**
 * Reads Jest's JSON report. A file that could not be loaded counts as one failed test, and so does a run that left no readable
 * report.
 * @param root the folder that file names are relative to
 */
export function readJestReport(text: string, root: string): JestReport {
  let json: JestJson;
  try {
    json = JSON.parse(text) as JestJson;
  } catch {
    return { tally: tallyOfCheck(false), suites: [], failures: ['Jest ended without a report'] };
  }
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0, testResults = [] } = json;
  const fileOf = (name: string): string => (name.startsWith(root) ? name.slice(root.length).replace(/^\//, '') : name);
  return {
    tally: {
      passed: numPassedTests,
      failed: numFailedTests + (json.numRuntimeErrorTestSuites ?? 0),
      skipped: numPendingTests + numTodoTests,
    },
    suites: testResults.map(({ name, startTime, endTime }) => ({
      file: fileOf(name),
      seconds: (endTime - startTime) / 1_000,
    })),
    failures: testResults
      .filter(({ status }) => status === 'failed')
      .flatMap(({ name, assertionResults = [] }) => {
        const failed = assertionResults.filter((result) => result.status === 'failed');
        return failed.length === 0
          ? [`${fileOf(name)} (could not be loaded)`]
          : failed.map(({ fullName }) => `${fileOf(name)} › ${fullName}`);
      }),
  };
}

/** The slowest suites, one a line, slowest first. */
export const formatSlowest = (suites: readonly SuiteTime[], count = 10): string =>
  [...suites]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
    .join('\n');
