import { TestEnvironment } from 'jest-environment-node';
import { sharedSystem } from './shared-system.js';

/** Gives each browser suite the same running system, as `testSystem`. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.testSystem = await sharedSystem();
  }
}
