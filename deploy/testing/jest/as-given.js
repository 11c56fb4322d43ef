import TestSequencer from '@jest/test-sequencer';

/** Runs files in the order of the arguments. */
export default class AsGiven extends TestSequencer {
  sort(tests) {
    return tests;
  }
}
