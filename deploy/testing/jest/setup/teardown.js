import { stopBrowserSide } from '../shared-system.js';

export default async function tearDown() {
  await stopBrowserSide();
  const { endRun } = await import('../../dist/test-bed/end-of-run.js');
  await endRun();
  const provided = globalThis.najwaInfrastructure ?? [];
  globalThis.najwaInfrastructure = [];
  for (const infrastructure of provided) await infrastructure.stop();
}
