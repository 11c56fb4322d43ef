import { TestEnvironment } from 'jest-environment-node';
import './loopback-only.js';
import { allowOutside } from './outside-registry.js';

/** Of objects that services make. Otherwise a test has others, which equal none of theirs. */
const SHARED = { Date, Map, Set };

/** Tests load the services, which are compiled, outside Jest's registry. */
export default class InfrastructureEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, SHARED);
    allowOutside(this.global);
  }
}
