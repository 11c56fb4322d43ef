import { describe, expect, test } from '@jest/globals';
import {
  addTallies,
  EMPTY_TALLY,
  formatSlowest,
  formatTally,
  readJestReport,
  sumTallies,
  tallyOfCheck,
  type SuiteReport,
} from './jest-report.js';

const times = { startTime: 0, endTime: 1_500 };

const read = (...testResults: object[]): SuiteReport[] =>
  readJestReport(JSON.stringify({ testResults }), '/checkout') ?? [];

describe("reading Jest's report", () => {
  test('names each failed test by its path in the checkout, and counts todo tests as skipped', () => {
    const assertionResults = [
      { fullName: 'sends once', status: 'failed' },
      { fullName: 'replies', status: 'passed' },
      { fullName: 'waits', status: 'pending' },
      { fullName: 'sings', status: 'todo' },
    ];
    expect(read({ ...times, name: '/checkout/a.test.ts', status: 'failed', assertionResults })).toEqual([
      {
        file: 'a.test.ts',
        seconds: 1.5,
        tally: { passed: 1, failed: 1, skipped: 2 },
        failures: ['a.test.ts › sends once'],
      },
    ]);
  });

  test('counts a file that could not be loaded as a failure', () => {
    expect(read({ ...times, name: '/checkout/b.test.ts', status: 'failed', assertionResults: [] })).toMatchObject([
      { tally: { passed: 0, failed: 1, skipped: 0 }, failures: ['b.test.ts (could not be loaded)'] },
    ]);
  });

  test('tells when there is none', () => {
    expect(readJestReport('', '/checkout')).toBeNull();
  });

  test('adds tallies', () => {
    const suites = [{ tally: tallyOfCheck(true) }, { tally: tallyOfCheck(false) }];
    expect(sumTallies(suites)).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(formatTally(addTallies({ ...EMPTY_TALLY, skipped: 1 }, sumTallies(suites)))).toBe(
      '1 passed, 1 failed, 1 skipped',
    );
  });

  test('lists the slowest suites first', () => {
    const suites = read(
      { ...times, name: '/checkout/a.test.ts', status: 'passed', assertionResults: [] },
      { startTime: 0, endTime: 12_000, name: '/checkout/web/b.test.ts', status: 'passed', assertionResults: [] },
      { startTime: 0, endTime: 10, name: '/checkout/c.test.ts', status: 'passed', assertionResults: [] },
    );
    expect(formatSlowest(suites, 2)).toBe('   12.0 s  web/b.test.ts\n    1.5 s  a.test.ts');
  });
});
