import { stopBrowserSide } from './shared-system.js';

export default async function tearDown() {
  await stopBrowserSide();
  const provided = globalThis.najwaInfrastructure ?? [];
  globalThis.najwaInfrastructure = [];
  for (const infrastructure of provided) await infrastructure.stop();
}
