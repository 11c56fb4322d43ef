/** How many tests passed, failed and were skipped. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 };

/** A check that is not made of tests counts as one. */
export const oneTest = (passed: boolean): Tally => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 });

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

export const inWords = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/**
 * Reads Jest's JSON report. A file whose tests could not even be loaded counts as one failed test, as does a run that left no
 * readable report.
 */
export function tallyOf(report: string): Tally {
  let results: Partial<
    Record<
      'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests' | 'numRuntimeErrorTestSuites',
      number
    >
  >;
  try {
    results = JSON.parse(report) as typeof results;
  } catch {
    return oneTest(false);
  }
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numTodoTests = 0,
    numRuntimeErrorTestSuites = 0,
  } = results;
  return {
    passed: numPassedTests,
    failed: numFailedTests + numRuntimeErrorTestSuites,
    skipped: numPendingTests + numTodoTests,
  };
}
