import { createEmptyTestResult } from '@jest/test-result';
import circus from 'jest-circus/runner';
import { processorSeconds } from '../src/processor-time.js';
import { noteFaults } from './fault-coverage.js';

/** When files begin no more. */
const UNTIL = Number(process.env.NAJWA_BEGIN_UNTIL ?? Infinity);

let before = 0;

/** Jest needs a test in each file. */
function leaveOut(file) {
  const test = { ancestorTitles: [], failureDetails: [], failureMessages: [], fullName: '', status: 'pending' };
  return { ...createEmptyTestResult(), testFilePath: file, numPendingTests: 1, testResults: [test], isLeftOut: true };
}

/** Adds the processor time since the end of the previous file, without servers and the shared system. */
export default async function runTimed(...args) {
  const [, , , runtime, file] = args;
  if (Date.now() > UNTIL) return leaveOut(file);
  const result = await circus.default(...args);
  await noteFaults(file, runtime, result.numFailingTests === 0 && !result.testExecError);
  const now = processorSeconds();
  if (now !== undefined) result.processorSeconds = Math.round(10 * (now - before)) / 10;
  before = now ?? 0;
  return result;
}
