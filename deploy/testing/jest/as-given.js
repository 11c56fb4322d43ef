import TestSequencer from '@jest/test-sequencer';

/** In the order of the arguments. */
export default class AsGiven extends TestSequencer {
  sort(tests) {
    return tests;
  }
}
