import { TestEnvironment } from 'jest-environment-node';
import './loopback-only.js';
import { allowOutside } from './outside-registry.js';

/** Constructors of objects from services. Otherwise tests have others, which equal none of theirs. */
const SHARED = { Date, Map, Set };

/** One failure suffices where it is only asked whether there is one. */
const ENDS_AT_FAILURE = process.env.NAJWA_ENDS_AT_FAILURE === '1';

/** Services are compiled, and load outside Jest's registry. */
export default class InfrastructureEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, SHARED);
    allowOutside(this.global);
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
    if (name === 'test_start' && this.hasFailed && ENDS_AT_FAILURE) test.mode = 'skip';
  }
}
