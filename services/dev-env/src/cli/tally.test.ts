import { describe, expect, test } from '@jest/globals';
import { add, inWords, NOTHING, oneTest, tallyOf } from './tally.js';

describe('counting tests', () => {
  test("reads Jest's report, todo tests as skipped", () => {
    const report = JSON.stringify({
      numPassedTests: 7,
      numFailedTests: 2,
      numPendingTests: 1,
      numTodoTests: 1,
      numRuntimeErrorTestSuites: 0,
    });
    expect(tallyOf(report)).toEqual({ passed: 7, failed: 2, skipped: 2 });
  });

  test('counts a file that could not be loaded as a failure', () => {
    expect(tallyOf(JSON.stringify({ numPassedTests: 3, numFailedTests: 0, numRuntimeErrorTestSuites: 2 }))).toEqual({
      passed: 3,
      failed: 2,
      skipped: 0,
    });
  });

  test('counts a run without a report as a failure', () => {
    expect(tallyOf('')).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('says the sum', () => {
    const total = [oneTest(true), oneTest(false), { passed: 5, failed: 0, skipped: 1 }].reduce(add, NOTHING);
    expect(inWords(total)).toBe('6 passed, 1 failed, 1 skipped');
  });
});
