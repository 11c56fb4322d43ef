import { readFileSync } from 'node:fs';
import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** Written by `--record-times`. */
const times = JSON.parse(readFileSync(new URL('times.json', import.meta.url), 'utf8'));

/** Not recorded yet. */
const UNKNOWN_SECONDS = 10;

/** Mostly waiting for other processes. */
const WAITING = new Set(['journeys', 'browser']);

/** Longest first, with waiting and computing files mixed, so that processors stay busy. */
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
