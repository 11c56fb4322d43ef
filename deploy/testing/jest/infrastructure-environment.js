import { TestEnvironment } from 'jest-environment-node';
import './loopback-only.js';
import { allowOutside } from './outside-registry.js';

/** Constructors of objects from services. Otherwise tests have others, which equal none of theirs. */
const SHARED = { Date, Map, Set };

/** Services are compiled, and load outside Jest's registry. */
export default class InfrastructureEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, SHARED);
    allowOutside(this.global);
  }
}
