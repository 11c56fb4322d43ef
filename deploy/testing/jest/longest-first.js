import { readFileSync } from 'node:fs';
import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** Times of each file in a whole run, written by `--record-times`. */
const times = JSON.parse(readFileSync(new URL('times.json', import.meta.url), 'utf8'));

/** For a file that no recorded run had. */
const UNKNOWN_SECONDS = 10;

/** These mostly wait for other processes, where the others compute. */
const WAITING = new Set(['journeys', 'browser']);

/**
 * Starts the longest files first, so that no worker is alone with one at the end, and in each stretch of the run as large
 * a part of the waiting files as of those that compute, so that the processors are busy all the time.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const timed = tests.map((test) => {
      const { rootDir, displayName } = test.context.config;
      const seconds = times[path.relative(rootDir, test.path)]?.seconds ?? UNKNOWN_SECONDS;
      return { test, seconds, isWaiting: WAITING.has(displayName?.name) };
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
