import { compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';

await runCommand(
  async ({ reporter, signal }) => {
    await installPackages(reporter, signal);
    await compileServices(reporter, signal);
    const { testCluster } = await import('../dist/test-cluster.js');
    return testCluster({ reporter, signal, wanted: process.argv.slice(2) });
  },
  { statusWhenStopped: 130 },
);
