import { compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';

await runCommand(
  async ({ reporter, signal }) => {
    await installPackages(reporter, signal);
    await compileServices(reporter);
    const { test } = await import('../dist/runner/test.js');
    return test({ reporter, signal, args: process.argv.slice(2) });
  },
  { statusWhenStopped: 130 },
);
