import InfrastructureEnvironment from './infrastructure-environment.js';
import { attachToBrowserSide } from './shared-system.js';

/** `browserSide`: the running system that all browser suites share. */
export default class BrowserEnvironment extends InfrastructureEnvironment {
  async setup() {
    await super.setup();
    this.global.browserSide = await attachToBrowserSide();
  }
}
