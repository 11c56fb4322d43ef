import { readFileSync } from 'node:fs';
import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { LONG_RUN } from '../src/jest-projects.js';

/** Written by `--record-times`. */
const times = JSON.parse(readFileSync(new URL('times.json', import.meta.url), 'utf8'));

/** Not recorded yet. */
const UNKNOWN_SECONDS = 10;

/** Mostly waiting for other processes. */
const WAITING = new Set(['journeys', 'browser']);

const secondsOf = ({ path: file, context }) =>
  times[path.relative(context.config.rootDir, file)]?.seconds ?? UNKNOWN_SECONDS;

const isLong = ({ path: file }) => LONG_RUN.test(readFileSync(file, 'utf8'));

/** Longest first, with waiting and computing files mixed, so that processors stay busy. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    if (process.env.NAJWA_BEGIN_UNTIL === undefined) return this.mix(tests);
    // Where time may end before the files, what is left out is as little as can be, and never of the everyday run.
    const long = tests.filter(isLong).sort((a, b) => secondsOf(a) - secondsOf(b));
    return [...this.mix(tests.filter((test) => !isLong(test))), ...long];
  }

  mix(tests) {
    const timed = tests.map((test) => {
      const isWaiting = WAITING.has(test.context.config.displayName?.name);
      return { test, seconds: secondsOf(test), isWaiting };
    });
    timed.sort((a, b) => b.seconds - a.seconds);
    const kinds = [true, false].map((isWaiting) => {
      const queue = timed.filter((each) => each.isWaiting === isWaiting);
      const total = queue.reduce((sum, { seconds }) => sum + seconds, 0);
      return { queue, total, left: total };
    });
    return timed.map(() => {
      const [kind] = kinds.filter(({ queue }) => queue.length > 0).sort((a, b) => b.left / b.total - a.left / a.total);
      const { test, seconds } = kind.queue.shift();
      kind.left -= seconds;
      return test;
    });
  }
}
