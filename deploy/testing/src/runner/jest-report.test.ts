import { describe, expect, test } from '@jest/globals';
import {
  addTallies,
  EMPTY_TALLY,
  formatSlowest,
  formatTally,
  suiteOf,
  sumTallies,
  tallyOfCheck,
  unfinishedSuite,
  type SuiteReport,
} from './jest-report.js';

const finished = { type: 'finished', seconds: 1.5, isBroken: false, message: '', tests: [] } as const;

const read = (file: string, changes: Partial<Parameters<typeof suiteOf>[0]> = {}): SuiteReport =>
  suiteOf({ ...finished, file: `/checkout/${file}`, ...changes }, '/checkout');

describe('the report of a file', () => {
  test('names each failed test by its path in the checkout, and counts todo tests as skipped', () => {
    const tests = [
      { fullName: 'sends once', status: 'failed' },
      { fullName: 'replies', status: 'passed' },
      { fullName: 'waits', status: 'pending' },
      { fullName: 'sings', status: 'todo' },
    ];
    expect(read('a.test.ts', { message: 'expected 1, got 2', tests })).toEqual({
      file: 'a.test.ts',
      seconds: 1.5,
      tally: { passed: 1, failed: 1, skipped: 2 },
      failures: ['a.test.ts › sends once'],
      message: 'expected 1, got 2',
    });
  });

  test('tells a file that was left out from one whose tests are skipped', () => {
    const tests = [{ fullName: '', status: 'pending' }];
    expect(read('c.test.ts', { tests, isLeftOut: true })).toMatchObject({ isLeftOut: true, tally: { skipped: 1 } });
    expect(read('d.test.ts', { tests })).not.toHaveProperty('isLeftOut');
  });

  test('counts a file that could not be loaded, and one that did not end, as a failure', () => {
    expect(read('b.test.ts', { isBroken: true })).toMatchObject({
      tally: { passed: 0, failed: 1, skipped: 0 },
      failures: ['b.test.ts (could not be loaded)'],
    });
    expect(unfinishedSuite('/checkout/c.test.ts', '/checkout')).toMatchObject({
      tally: { passed: 0, failed: 1, skipped: 0 },
      failures: ['c.test.ts (did not end)'],
    });
  });

  test('adds tallies', () => {
    const suites = [{ tally: tallyOfCheck(true) }, { tally: tallyOfCheck(false) }];
    expect(sumTallies(suites)).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(formatTally(addTallies({ ...EMPTY_TALLY, skipped: 1 }, sumTallies(suites)))).toBe(
      '1 passed, 1 failed, 1 skipped',
    );
  });

  test('lists the slowest suites first', () => {
    const suites = [read('a.test.ts'), read('web/b.test.ts', { seconds: 12 }), read('c.test.ts', { seconds: 0 })];
    expect(formatSlowest(suites, 2)).toBe('   12.0 s  web/b.test.ts\n    1.5 s  a.test.ts');
  });
});
