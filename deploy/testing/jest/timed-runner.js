import circus from 'jest-circus/runner';
import { processorSeconds } from '../src/processor-time.js';
import { noteFaults } from './fault-coverage.js';

let before = 0;

/**
 * Adds to the results of a file how much processor time it took: all that its process has used since the end of the file
 * before. Servers, and the system that all browser suites share, are not in it.
 */
export default async function runTimed(...args) {
  const result = await circus.default(...args);
  const [, , , runtime, file] = args;
  await noteFaults(file, runtime, result.numFailingTests === 0 && !result.testExecError);
  const now = processorSeconds();
  if (now !== undefined) result.processorSeconds = Math.round(10 * (now - before)) / 10;
  before = now ?? 0;
  return result;
}
