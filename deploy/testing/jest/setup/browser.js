import { prepare } from '../prepare.js';
import { startBrowserSide } from '../shared-system.js';

export default async function setUp() {
  await prepare({ startsSystem: true, needsBrowsers: true });
  startBrowserSide();
}
