import { TestEnvironment } from 'jest-environment-node';
import { sharedStates, sharedSystem } from './shared-system.js';

/** Gives each browser suite the same running system, as `testSystem`, and the same `sharedStates`. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.sharedStates = sharedStates;
    this.global.testSystem = await sharedSystem();
  }
}
