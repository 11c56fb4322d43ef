import { compileServices, installPackages, runCommand } from '../src/bootstrap/prepare.js';

await runCommand(
  async ({ reporter, signal }) => {
    await installPackages(reporter, signal);
    await compileServices(reporter, signal);
    const { testCompose } = await import('../dist/cli/test-compose.js');
    return testCompose({ reporter, signal });
  },
  { statusWhenStopped: 130 },
);
