import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { ReachedSuite } from '../runner/changed.js';
import type { Project } from '../runner/suites.js';
import { applyFault, chooseRound, keyOf, roundsOf } from './faults.js';

const FAULT = { file: 'a.ts', before: 'count < max', after: 'count <= max', notice: 'One more is let in.' };

test('a fault replaces its text as it is', () => {
  expect(applyFault('if (count < max) take();', FAULT)).toBe('if (count <= max) take();');
  expect(applyFault('if (count < max) take();', { ...FAULT, after: '$&' })).toBe('if ($&) take();');
});

test.each(['if (count < limit) take();', 'count < max || count < max'])(
  'a fault cannot be applied to a file whose text has changed: %s',
  (text) => {
    expect(() => applyFault(text, FAULT)).toThrow(/a\.ts, and must stand there once/);
  },
);

test('suites run in rounds: the last catch, those of the package, then the others, the likely and quick ones first', () => {
  const suite = (project: Project, file: string, distance: number): ReachedSuite => ({ project, file, distance });
  const suites = [
    suite('unit', 'services/gateway/src/far.test.ts', 3),
    suite('unit', 'services/auth/src/domain/other.test.ts', 4),
    suite('unit', 'services/auth/src/domain/near.test.ts', 1),
    suite('component', 'services/auth/tests/component/login.test.ts', 1_001),
    suite('component', 'services/auth/tests/component/limits.test.ts', 1_001),
    suite('component', 'services/auth/tests/component/recovery.test.ts', 1_001),
    suite('component', 'services/auth/tests/component/profile.test.ts', 1_001),
    suite('component', 'services/messages/tests/component/sending.test.ts', 1_002),
    suite('browser', 'web/e2e/access.test.ts', 1_002),
  ];
  const times = {
    'services/auth/tests/component/login.test.ts': { seconds: 30 },
    'services/auth/tests/component/limits.test.ts': { seconds: 3 },
  };
  const hint = 'services/auth/tests/component/profile.test.ts';
  const rounds = roundsOf('services/auth/src/domain/recovery.ts', suites, hint, times);
  expect(rounds.map((round) => round.map(({ file }) => path.basename(file, '.test.ts')))).toEqual([
    ['profile'],
    ['near', 'other'],
    ['recovery', 'limits', 'login'],
    ['far'],
    ['sending'],
    ['access'],
  ]);
});

test('a round of the matrix has no suite that runs the lines of two of its faults', () => {
  const suite = (file: string) => ({ file, project: 'unit' as const, isLong: false });
  const [a, b, both] = [suite('a.test.ts'), suite('b.test.ts'), suite('both.test.ts')];
  const other = { ...FAULT, file: 'b.ts' };
  const sameFile = { ...FAULT, before: 'take', after: 'leave' };
  const trials = [
    { fault: FAULT, suites: [a] },
    { fault: other, suites: [b, both] },
    { fault: sameFile, suites: [b] },
  ];
  const coverage = (...suitesOfOther: (typeof a)[]) =>
    new Map([
      [keyOf(FAULT), [a]],
      [keyOf(other), suitesOfOther],
      [keyOf(sameFile), [b]],
    ]);
  expect(chooseRound(trials, coverage(b, both))).toEqual(trials.slice(0, 2));
  expect(chooseRound(trials, coverage(a, b, both))).toEqual(trials.slice(0, 1));
});
