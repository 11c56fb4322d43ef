import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createReporter } from './reporter.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a step says how long it has taken so far, and in the end', () => {
  const lines: string[] = [];
  const reporter = createReporter(new PassThrough().on('data', (line) => lines.push(String(line))));
  jest.advanceTimersByTime(60_000);
  const step = reporter.step('Servers');
  jest.advanceTimersByTime(12_000);
  step.done('ready');
  expect(lines).toEqual(['[1:10] Servers: working (10 s so far)\n', '[1:12] Servers: ready (12 s)\n']);
});
