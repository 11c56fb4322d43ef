import { describe, expect, test } from '@jest/globals';
import {
  addTallies,
  EMPTY_TALLY,
  formatSlowest,
  formatTally,
  readJestReport,
  tallyOfCheck,
  type Tally,
} from './jest-report.js';

const tallyIn = (text: string): Tally => readJestReport(text, '/checkout').tally;

describe("reading Jest's report", () => {
  test('counts todo tests as skipped', () => {
    const report = JSON.stringify({
      numPassedTests: 7,
      numFailedTests: 2,
      numPendingTests: 1,
      numTodoTests: 1,
      numRuntimeErrorTestSuites: 0,
    });
    expect(tallyIn(report)).toEqual({ passed: 7, failed: 2, skipped: 2 });
  });

  test('counts a file that could not be loaded as a failure', () => {
    const report = JSON.stringify({ numPassedTests: 3, numFailedTests: 0, numRuntimeErrorTestSuites: 2 });
    expect(tallyIn(report)).toEqual({ passed: 3, failed: 2, skipped: 0 });
  });

  test('counts a run without a report as a failure', () => {
    expect(tallyIn('')).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('names each failed test, and each file that could not be loaded', () => {
    const times = { startTime: 0, endTime: 1 };
    const testResults = [
      {
        ...times,
        name: '/checkout/a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'sends once', status: 'failed' },
          { fullName: 'replies', status: 'passed' },
        ],
      },
      { ...times, name: '/checkout/b.test.ts', status: 'failed', assertionResults: [] },
      { ...times, name: '/checkout/c.test.ts', status: 'passed', assertionResults: [] },
    ];
    expect(readJestReport(JSON.stringify({ testResults }), '/checkout').failures).toEqual([
      'a.test.ts › sends once',
      'b.test.ts (could not be loaded)',
    ]);
  });

  test('adds tallies', () => {
    const total = [tallyOfCheck(true), tallyOfCheck(false), { passed: 5, failed: 0, skipped: 1 }].reduce(
      addTallies,
      EMPTY_TALLY,
    );
    expect(formatTally(total)).toBe('6 passed, 1 failed, 1 skipped');
  });

  test('lists the slowest suites first, by their path in the checkout', () => {
    const testResults = [
      { name: '/checkout/a.test.ts', startTime: 0, endTime: 1_500 },
      { name: '/checkout/web/b.test.ts', startTime: 0, endTime: 12_000 },
      { name: '/checkout/c.test.ts', startTime: 0, endTime: 10 },
    ];
    const { suites } = readJestReport(JSON.stringify({ testResults }), '/checkout');
    expect(formatSlowest(suites, 2)).toBe('   12.0 s  web/b.test.ts\n    1.5 s  a.test.ts');
  });
});
