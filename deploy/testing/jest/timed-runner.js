import circus from 'jest-circus/runner';
import { processorSeconds } from '../src/processor-time.js';
import { noteFaults } from './fault-coverage.js';

let before = 0;

/** Adds the processor time since the end of the previous file, without servers and the shared system. */
export default async function runTimed(...args) {
  const result = await circus.default(...args);
  const [, , , runtime, file] = args;
  await noteFaults(file, runtime, result.numFailingTests === 0 && !result.testExecError);
  const now = processorSeconds();
  if (now !== undefined) result.processorSeconds = Math.round(10 * (now - before)) / 10;
  before = now ?? 0;
  return result;
}
