import InfrastructureEnvironment from './infrastructure-environment.js';
import { attachToBrowserSide } from './shared-system.js';

/** Gives each browser suite the running system that all of them share, as `browserSide`. */
export default class BrowserEnvironment extends InfrastructureEnvironment {
  async setup() {
    await super.setup();
    this.global.browserSide = await attachToBrowserSide();
  }
}
