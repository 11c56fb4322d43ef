import { compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';

await runCommand(
  async ({ reporter, signal }) => {
    await installPackages(reporter, signal);
    await compileServices(reporter, signal);
    const { testCompose } = await import('../dist/runner/test-compose.js');
    return testCompose({ reporter, signal });
  },
  { statusWhenStopped: 130 },
);
