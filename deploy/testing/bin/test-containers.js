import { compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';

await runCommand(
  async ({ reporter, signal }) => {
    await installPackages(reporter, signal);
    await compileServices(reporter, signal);
    const { testContainers } = await import('../dist/runner/test-containers.js');
    return testContainers({ reporter, signal, jestArguments: process.argv.slice(2) });
  },
  { statusWhenStopped: 130 },
);
